#include "thalweg/functions/register_all.h"

namespace thalweg::functions {

#define THALWEG_FUNCTIONS(name) void add_##name(expression::FunctionRegistry& registry);
#include "thalweg/functions/families.def"
#undef THALWEG_FUNCTIONS

void register_all(expression::FunctionRegistry& registry) {
#define THALWEG_FUNCTIONS(name) add_##name(registry);
#include "thalweg/functions/families.def"
#undef THALWEG_FUNCTIONS
}

}  // namespace thalweg::functions

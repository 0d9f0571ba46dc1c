#include "thalweg/catalog/object_path.h"

#include "thalweg/types/data_type.h"

namespace thalweg::catalog {

std::string ObjectPath::summary() const {
  return catalog + "." + database + "." + object;
}

std::string ObjectPath::quoted() const {
  return quote_identifier(catalog) + "." + quote_identifier(database) + "." +
         quote_identifier(object);
}

}  // namespace thalweg::catalog

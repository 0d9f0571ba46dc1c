#include "thalweg/catalog/table.h"

namespace thalweg::catalog {

OptionMap option_map(const sql::Options& options) {
  OptionMap map;
  for (const sql::Option& option : options) {
    map.insert_or_assign(option.key, option.value);
  }
  return map;
}

CatalogTablePtr TableEntry::table() const {
  const CatalogTablePtr* table = std::get_if<CatalogTablePtr>(&object);
  return table == nullptr ? nullptr : *table;
}

CatalogViewPtr TableEntry::view() const {
  const CatalogViewPtr* view = std::get_if<CatalogViewPtr>(&object);
  return view == nullptr ? nullptr : *view;
}

const Schema& TableEntry::schema() const {
  return is_view() ? std::get<CatalogViewPtr>(object)->schema
                   : std::get<CatalogTablePtr>(object)->resolved.columns;
}

}  // namespace thalweg::catalog

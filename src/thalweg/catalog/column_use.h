#pragma once

#include <string>
#include <vector>

#include "thalweg/catalog/table.h"

namespace thalweg::catalog {

/// Throws, as ALTER TABLE does, when something else of the table needs the column `name`: a
/// computed column that is not among `leaving`, or the watermark.
void refuse_if_referenced(const CatalogTable& table,
                          const std::string& name,
                          const std::vector<std::string>& leaving);

/// Throws ValidationException "Failed to execute ALTER TABLE statement.\n<detail>".
[[noreturn]] void refuse_alteration(std::string_view detail, SourcePosition position = {});

}  // namespace thalweg::catalog

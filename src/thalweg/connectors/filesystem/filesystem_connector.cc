#include "thalweg/connectors/filesystem/file_columns.h"
#include "thalweg/connectors/filesystem/file_sink.h"
#include "thalweg/connectors/filesystem/file_source.h"
#include "thalweg/connectors/filesystem/filesystem_options.h"

namespace thalweg::connectors {

namespace {

/// 'connector' = 'filesystem': local files and directories.
class FilesystemConnector final : public stream::ConnectorFactory {
 public:
  std::string name() const override { return "filesystem"; }

  std::vector<stream::OptionSpec> option_specs() const override {
    return filesystem_option_specs();
  }

  std::vector<stream::MetadataKey> metadata_keys(const stream::OptionMap& options) const override {
    static_cast<void>(options);
    return file_metadata_keys();
  }

  std::shared_ptr<stream::TableSource> create_source(
      const stream::TableContext& context) const override {
    return make_file_source(context, read_filesystem_options(context));
  }

  std::shared_ptr<stream::TableSink> create_sink(
      const stream::TableContext& context) const override {
    return make_file_sink(context, read_filesystem_options(context));
  }
};

}  // namespace

std::unique_ptr<stream::ConnectorFactory> make_filesystem_connector() {
  return std::make_unique<FilesystemConnector>();
}

}  // namespace thalweg::connectors

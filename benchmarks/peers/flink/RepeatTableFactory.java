package thalweg.bench;

import java.util.Set;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.legacy.table.connector.source.SourceFunctionProvider;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.format.DecodingFormat;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DeserializationFormatFactory;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;

/**
 * 'connector' = 'repeat': all records of the file 'path', decoded by 'format' beforehand, sent again and again for 'seconds'; what a row
 * costs goes to the file 'report'. The source of Flink's expression lane.
 */
public final class RepeatTableFactory implements DynamicTableSourceFactory {
    private static final ConfigOption<String> PATH = ConfigOptions.key("path").stringType().noDefaultValue();
    private static final ConfigOption<String> REPORT = ConfigOptions.key("report").stringType().noDefaultValue();
    private static final ConfigOption<Double> SECONDS = ConfigOptions.key("seconds").doubleType().noDefaultValue();

    @Override
    public String factoryIdentifier() {
        return "repeat";
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of(PATH, REPORT, SECONDS, FactoryUtil.FORMAT);
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of();
    }

    @Override
    public DynamicTableSource createDynamicTableSource(Context context) {
        FactoryUtil.TableFactoryHelper helper = FactoryUtil.createTableFactoryHelper(this, context);
        DecodingFormat<DeserializationSchema<RowData>> format =
                helper.discoverDecodingFormat(DeserializationFormatFactory.class, FactoryUtil.FORMAT);
        helper.validate();
        return new RepeatSource(
                helper.getOptions().get(PATH),
                helper.getOptions().get(REPORT),
                helper.getOptions().get(SECONDS),
                format,
                context.getPhysicalRowDataType());
    }

    private record RepeatSource(
            String path,
            String report,
            double seconds,
            DecodingFormat<DeserializationSchema<RowData>> format,
            DataType type)
            implements ScanTableSource {
        @Override
        public ChangelogMode getChangelogMode() {
            return ChangelogMode.insertOnly();
        }

        @Override
        public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
            ReplayedRows rows =
                    new ReplayedRows(path, format.createRuntimeDecoder(context, type), (RowType) type.getLogicalType());
            return SourceFunctionProvider.of(new RepeatedRows(rows, report, seconds), true);
        }

        @Override
        public DynamicTableSource copy() {
            return this;
        }

        @Override
        public String asSummaryString() {
            return "repeat";
        }
    }
}

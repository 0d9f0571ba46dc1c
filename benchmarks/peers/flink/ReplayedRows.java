package thalweg.bench;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.binary.BinarySegmentUtils;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.RowType;

/**
 * The records of a file in Flink's own binary form in memory. That form is kept beside the file (path + ".rows"), so that only the
 * first run decodes.
 */
final class ReplayedRows implements GeneratorFunction<Long, RowData> {
    private final String path;
    private final DeserializationSchema<RowData> decoder;
    private final RowType type;
    private transient MemorySegment bytes;
    private transient int next;

    ReplayedRows(String path, DeserializationSchema<RowData> decoder, RowType type) {
        this.path = path;
        this.decoder = decoder;
        this.type = type;
    }

    @Override
    public void open(SourceReaderContext context) throws Exception {
        Path packed = Path.of(path + ".rows");
        if (!Files.exists(packed)) {
            decoder.open(null);
            pack(packed);
        }
        bytes = MemorySegmentFactory.wrap(Files.readAllBytes(packed));
    }

    /** From the next row to the last. */
    List<RowData> all() {
        List<RowData> rows = new ArrayList<>();
        while (next < bytes.size()) {
            rows.add(map((long) rows.size()));
        }
        return rows;
    }

    private void pack(Path packed) throws IOException {
        RowDataSerializer serializer = new RowDataSerializer(type);
        Path partial = Path.of(packed + ".partial");
        try (BufferedReader lines = Files.newBufferedReader(Path.of(path));
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(partial)))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                BinaryRowData row =
                        serializer.toBinaryRow(decoder.deserialize(line.getBytes(StandardCharsets.UTF_8)));
                out.writeInt(row.getSizeInBytes());
                out.write(BinarySegmentUtils.copyToBytes(row.getSegments(), row.getOffset(), row.getSizeInBytes()));
            }
        }
        Files.move(partial, packed, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Rows come in order: the reader of one split asks for 0, 1, 2... */
    @Override
    public RowData map(Long index) {
        int size = bytes.getIntBigEndian(next);
        BinaryRowData row = new BinaryRowData(type.getFieldCount());
        row.pointTo(bytes, next + Integer.BYTES, size);
        next += Integer.BYTES + size;
        return row;
    }
}

package thalweg.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.streaming.api.functions.source.legacy.SourceFunction;
import org.apache.flink.table.data.RowData;

/**
 * Sends the same rows again and again, and takes the CPU time of the process for a row, garbage collection included, compilation not: the
 * least of some spells in the second half of its time, when what runs is compiled.
 */
final class RepeatedRows implements SourceFunction<RowData> {
    private static final int SPELLS = 5;

    private final ReplayedRows rows;
    private final String report;
    private final double seconds;
    private volatile boolean isRunning = true;

    RepeatedRows(ReplayedRows rows, String report, double seconds) {
        this.rows = rows;
        this.report = report;
        this.seconds = seconds;
    }

    @Override
    public void run(SourceContext<RowData> context) throws Exception {
        rows.open(null);
        List<RowData> all = rows.all();
        send(all, seconds / 2, context);
        double least = Double.MAX_VALUE;
        for (int spell = 0; isRunning && spell < SPELLS; ++spell) {
            long before = cpuNanos();
            long sent = send(all, seconds / 2 / SPELLS, context);
            least = Math.min(least, (double) (cpuNanos() - before) / sent);
        }
        Files.writeString(Path.of(report), String.valueOf(least));
    }

    /** All rows, as often as it takes; returns how many. */
    private long send(List<RowData> all, double forSeconds, SourceContext<RowData> context) {
        long end = System.nanoTime() + (long) (forSeconds * 1e9);
        long sent = 0;
        do {
            for (RowData row : all) {
                context.collect(row);
            }
            sent += all.size();
        } while (isRunning && System.nanoTime() < end);
        return sent;
    }

    /** Of all threads but the compiler's. */
    private static long cpuNanos() throws IOException {
        long nanos = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path thread : threads) {
                try {
                    if (!Files.readString(thread.resolve("comm")).contains("CompilerThre")) {
                        nanos += Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ")[0]);
                    }
                } catch (NoSuchFileException ended) {
                    // It counted while it ran.
                }
            }
        }
        return nanos;
    }

    @Override
    public void cancel() {
        isRunning = false;
    }
}

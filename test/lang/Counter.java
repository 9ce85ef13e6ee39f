import java.util.ArrayList;
import java.util.List;

/** Counts up every 100 ms; nothing tells but its memory. */
public class Counter {
    static final Counter shared = new Counter();
    private int n;
    private final List<Integer> log = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        for (;;) {
            Thread.sleep(100);
            shared.log.add(++shared.n);
        }
    }
}

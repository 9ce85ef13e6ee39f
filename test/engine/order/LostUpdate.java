import java.io.RandomAccessFile;

/** Two threads add to a counter in a file, and neither locks it. */
class LostUpdate {
    static final int TIMES = 5;

    static void add() {
        try (RandomAccessFile f = new RandomAccessFile("counter", "rw")) {
            for (int i = 0; i < TIMES; i++) {
                f.seek(0);
                int n = f.read();
                f.seek(0);
                f.write(n + 1);
            }
        } catch (java.io.IOException e) {
            throw new RuntimeException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        try (RandomAccessFile f = new RandomAccessFile("counter", "rw")) {
            f.write(0);
        }
        Thread[] threads = {new Thread(LostUpdate::add), new Thread(LostUpdate::add)};
        for (Thread t : threads) {
            t.start();
        }
        for (Thread t : threads) {
            t.join();
        }
        try (RandomAccessFile f = new RandomAccessFile("counter", "rw")) {
            int n = f.read();
            System.out.println((n == 2 * TIMES ? "all there " : "lost update ") + n);
        }
    }
}

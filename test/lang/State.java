import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** Values of every kind; prints what they are, for test/run-lang, which reads them through the memory of this process. */
public class State {
    enum Role { FOLLOWER, LEADER }

    record Entry(int term, String op) { }

    static class Base {
        int shared = 5;
        protected long both = 1;
    }

    static class Node extends Base {
        private int term = 42;
        private Role role = Role.LEADER;
        private final List<Entry> log = new ArrayList<>(List.of(new Entry(1, "put"), new Entry(2, "get")));
        private final Map<String, Integer> next = new HashMap<>(Map.of("a", 1, "b", 2));
        private final Map<Integer, List<String>> deep = new TreeMap<>();
        private String nobody;
        private volatile boolean up = true;
        private final Object lock = new Object();
        private long both = 2;
    }

    static class Chain {
        int n;
        Chain next;

        Chain(int n, Chain next) {
            this.n = n;
            this.next = next;
        }
    }

    static boolean yes = true, no;
    static byte small = -7;
    static short middle = -300;
    static char letter = 'x';
    static int whole = 5, negative = -3;
    static long large = 1L << 40, lowest = Long.MIN_VALUE;
    static float half = 0.5f;
    static double third = 1.0 / 3;
    static String text = "plain", wide = "gr\u00fc\u00df", wider = "\u6f22\ud83d\ude00", empty = "", none;
    static int[] numbers = {1, 2, 3};
    static byte[] bytes = {1, -1};
    static long[][] grid = {{1, 2}, {3}};
    static String[] words = {"a", null, "b"};
    static Integer boxed = 1234567;
    static Long boxedLong = -9L;
    static Boolean boxedYes = true;
    static Character boxedLetter = 'y';
    static AtomicInteger atomic = new AtomicInteger(8);
    static AtomicLong atomicLong = new AtomicLong(-8);
    static AtomicBoolean atomicYes = new AtomicBoolean(true);
    static AtomicReference<String> reference = new AtomicReference<>("held");
    static Optional<String> some = Optional.of("some"), nothing = Optional.empty();
    static List<Integer> list = new ArrayList<>(), linked = new LinkedList<>(List.of(4, 5, 6)), fixed = Arrays.asList(7, 8),
        many = List.of(1, 2, 3, 4), two = List.of(1, 2), one = List.of(1), vector = new Vector<>(List.of(9)),
        copied = new CopyOnWriteArrayList<>(List.of(1, 1)), view = Collections.unmodifiableList(new ArrayList<>(List.of(3)));
    static Deque<Integer> deque = new ArrayDeque<>();
    static Set<String> set = new HashSet<>(List.of("b", "a", "c")), sorted = new TreeSet<>(List.of("y", "x")), few = Set.of("q"),
        several = Set.of("l", "k", "m"), keys = ConcurrentHashMap.newKeySet(), inserted = new LinkedHashSet<>(List.of("z", "w"));
    static Map<String, Integer> map = new LinkedHashMap<>(), concurrent = new ConcurrentHashMap<>(), of = Map.of("a", 1, "b", 2), single = Map.of("s", 3);
    static Map<Integer, Integer> crowded = new HashMap<>();
    static Map<Clash, Integer> clashes = new HashMap<>();
    static Role role = Role.FOLLOWER;
    static Node node = new Node();
    static Chain chain = new Chain(1, new Chain(2, new Chain(3, null))), loop = new Chain(1, null);
    static Object[] cycle = new Object[1];

    /** All in one place of a table: a tree. */
    record Clash(int n) implements Comparable<Clash> {
        public int hashCode() {
            return 1;
        }

        public int compareTo(Clash other) {
            return Integer.compare(n, other.n);
        }
    }

    static void line(String path, Object value) {
        System.out.println(path + " => " + value);
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 300; i++) {
            list.add(i);
            crowded.put(i, i * i);
        }
        list.subList(3, 300).clear();
        for (int i = 0; i < 40; i++) {
            clashes.put(new Clash(i), i);
        }
        for (int i = 0; i < 20; i++) {
            deque.addLast(i);
        }
        for (int i = 0; i < 18; i++) {
            deque.removeFirst();
        }
        deque.addLast(20);
        map.put("z", 1);
        map.put("a", 2);
        concurrent.put("c", 3);
        keys.add("k");
        node.deep.put(2, List.of("x", "y"));
        node.deep.put(1, new ArrayList<>());
        loop.next = new Chain(2, loop);
        cycle[0] = cycle;
        line("State.yes", yes);
        line("State.no", no);
        line("State.small", small);
        line("State.middle", middle);
        line("State.letter", "\"x\"");
        line("State.whole", whole);
        line("State.negative", negative);
        line("State.large", large);
        line("State.lowest", lowest);
        line("State.half", half);
        line("State.third", "0.33333333333333331");
        line("State.text", "\"" + text + "\"");
        line("State.wide", "\"gr\u00fc\u00df\"");
        line("State.wider", "\"\u6f22\ud83d\ude00\"");
        line("State.empty", "\"\"");
        line("State.none", "null");
        line("State.numbers", Arrays.toString(numbers));
        line("State.bytes", Arrays.toString(bytes));
        line("State.grid", Arrays.deepToString(grid));
        line("State.words", "[\"a\", null, \"b\"]");
        line("State.boxed", boxed);
        line("State.boxedLong", boxedLong);
        line("State.boxedYes", boxedYes);
        line("State.boxedLetter", "\"y\"");
        line("State.atomic", atomic);
        line("State.atomicLong", atomicLong);
        line("State.atomicYes", atomicYes);
        line("State.reference", "\"held\"");
        line("State.some", "\"some\"");
        line("State.nothing", "null");
        line("State.list", list);
        line("State.linked", linked);
        line("State.fixed", fixed);
        line("State.many", many);
        line("State.two", two);
        line("State.one", one);
        line("State.vector", vector);
        line("State.copied", copied);
        line("State.view", view);
        line("State.deque", deque);
        line("State.set", "[\"a\", \"b\", \"c\"]");
        line("State.sorted", "[\"x\", \"y\"]");
        line("State.few", "[\"q\"]");
        line("State.several", "[\"k\", \"l\", \"m\"]");
        line("State.keys", "[\"k\"]");
        line("State.inserted", "[\"w\", \"z\"]");
        line("State.map", "map[\"a\": 2, \"z\": 1]");
        line("State.concurrent", "map[\"c\": 3]");
        line("State.of", "map[\"a\": 1, \"b\": 2]");
        line("State.single", "map[\"s\": 3]");
        line("State.crowded[17]", crowded.get(17));
        line("State.clashes[*]", "map[" + all(clashes) + "]");
        line("State.role", "\"FOLLOWER\"");
        line("State.node.term", node.term);
        line("State.node.shared", node.shared);
        line("State.node.both", node.both);
        line("State.node.role", "\"LEADER\"");
        line("State.node.log", "[{term: 1, op: \"put\"}, {term: 2, op: \"get\"}]");
        line("State.node.log[*].term", "[1, 2]");
        line("State.node.log[-1].op", "\"get\"");
        line("State.node.next", "map[\"a\": 1, \"b\": 2]");
        line("State.node.next['b']", 2);
        line("State.node.deep", "map[1: [], 2: [\"x\", \"y\"]]");
        line("State.node.deep[2][0]", "\"x\"");
        line("State.node.nobody", "null");
        line("State.node.up", true);
        line("State.node.up?", true);
        line("State.numbers[1..]", "[2, 3]");
        line("State.numbers[0..1]", "[1]");
        line("State.chain@next.n", "[1, 2, 3]");
        line("State.loop@next.n", "[1, 2]");
        line("java.lang.Integer.MAX_VALUE", Integer.MAX_VALUE);
        line("<State$Node>.term", node.term);
        line("<State$Base>.shared", node.shared);
        String[][] wrong = {
            {"State.missing", "the class has no static field missing"}, {"Missing.x", "no class is loaded"}, {"State.node.missing", "has no field missing"}, {"State.node.missing?.x", "nothing there: State.node.missing?"},
            {"State.numbers[3]", "[3] of 3"}, {"State.map['q']", "there is no key q"}, {"State.whole[0]", "it has no elements"},
            {"State.none.x", "null has no field x"}, {"State", "name a static field of State"}, {"<State$Chain>", "5 instances of State$Chain"}, {"<Chain>", "there is no instance of Chain"},
            {"State.cycle", "nested too deeply"}, {"State.map[0..1]", "a map has keys"}, {"main().args", "local variables cannot be read"},
        };
        for (String[] row : wrong) {
            System.out.println(row[0] + " ~> " + row[1]);
        }
        System.out.println("ready");
        System.out.flush();
        System.in.read();
    }

    static String all(Map<Clash, Integer> map) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < map.size(); i++) {
            out.append(i == 0 ? "" : ", ").append("{n: ").append(i).append("}: ").append(i);
        }
        return out.toString();
    }
}

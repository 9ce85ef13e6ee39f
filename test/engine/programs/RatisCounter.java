/* A counter on Apache Ratis: "RatisCounter server ID" is one of three servers (in /data), "RatisCounter client N" adds N times, 10 s after the first the others, and asks. */
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.netty.NettyConfigKeys;
import org.apache.ratis.protocol.*;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;

public class RatisCounter extends BaseStateMachine {
    private final AtomicInteger count = new AtomicInteger();

    static Message text(String s) {
        return Message.valueOf(s);
    }

    @Override
    public CompletableFuture<Message> query(Message request) {
        return CompletableFuture.completedFuture(text("" + count.get()));
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext trx) {
        updateLastAppliedTermIndex(trx.getLogEntry().getTerm(), trx.getLogEntry().getIndex());
        return CompletableFuture.completedFuture(text("" + count.incrementAndGet()));
    }

    public static void main(String[] args) throws Exception {
        RaftPeer[] peers = new RaftPeer[3];
        for (int i = 0; i < 3; i++) {
            peers[i] = RaftPeer.newBuilder().setId("p" + (i + 1)).setAddress("p" + (i + 1) + ":6000").build();
        }
        RaftGroup group = RaftGroup.valueOf(RaftGroupId.valueOf(UUID.nameUUIDFromBytes("counter".getBytes(StandardCharsets.UTF_8))), peers);
        RaftProperties properties = new RaftProperties();
        RaftConfigKeys.Rpc.setType(properties, SupportedRpcType.NETTY);
        if (args[0].equals("server")) {
            RaftServerConfigKeys.setStorageDir(properties, java.util.List.of(new File("/data/ratis")));
            NettyConfigKeys.Server.setPort(properties, 6000);
            RaftServer.newBuilder().setServerId(RaftPeerId.valueOf(args[1])).setGroup(group).setProperties(properties)
                    .setStateMachine(new RatisCounter()).build().start();
            Thread.currentThread().join();
        }
        try (RaftClient client = RaftClient.newBuilder().setProperties(properties).setRaftGroup(group).build()) {
            for (int i = 0; i < Integer.parseInt(args[1]); i++) {
                client.io().send(text("add"));
                Thread.sleep(i == 0 ? 10000 : 10);
            }
            System.out.println("the counter is " + client.io().sendReadOnly(text("get")).getMessage().getContent().toStringUtf8());
        }
        System.exit(0);
    }
}

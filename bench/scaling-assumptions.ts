// This module has the inputs of the simulation in bench/scaling.ts, which estimates the load of very large
// communities. “Measured” figures are from docs/performance.md (two cores, which also ran the client). All
// others are assumptions: change them here and run the simulation again.

/**
 * How members use the community, in the scaling model. Numbers of actions are those of one active member on
 * one day.
 */
export const scalingModelMemberBehaviour = {
  /** Assumption: the fraction of all members who visit the community on a day. */
  dailyActive: 0.4,
  /** Assumption: the busiest hour has three times the requests of an average hour. */
  peakFactor: 3,
  visits: 10,
  minutesOnline: 60,
  /** The number of browser windows of one member who is online. */
  windows: 1.3,
  /** The fraction of the windows that have shown posts, and so are subscribed to the channel `posts`. */
  windowsWithPosts: 0.7,
  posts: 0.4,
  replies: 1.5,
  likes: 8,
  follows: 0.3,
  /**
   * Assumption: the private messages of a member on a day. For comparison, from memory and not checked: in
   * 2020, WhatsApp named 100 billion messages a day of two billion people, which is 50 for each.
   */
  privateMessages: 12,
  groupMessages: 8,
  readMarks: 20,
  /** The pictures that a member loads on a day and that the browser has not cached. */
  pictures: 40,
  /**
   * The number of Redis commands for a request: for the rate limits of its address and its account, and for
   * some locks.
   */
  redisCommands: 2.5,
  /** The new pictures of a member on a day, in posts, messages and profiles. */
  newPictures: 0.9,
  /**
   * Assumption: the number of jobs for each chat message: one job fills the queues of the devices, the others
   * send to devices.
   */
  jobsPerMessage: 2.5,
} as const

/** The shapes of the random distributions from which the scaling model draws. */
export const scalingModelDistributionShapes = {
  /**
   * The exponent by which the number of followers falls with the rank of the member: followers ~ rank^-0.78.
   * It is 1 / (2.276 - 1); the exponent 2.276 is that of Kwak and others for Twitter (WWW 2010), cited from
   * memory and not checked.
   */
  popularity: 0.78,
  /** Assumption: the fraction of all members who follow the most followed member. */
  mostFollowed: 0.3,
  /**
   * Assumption: the number of people whom a member follows. It is least × u^-exponent with a uniform random
   * u, so 100 on average, 60 in the median.
   */
  followed: { least: 40, exponent: 0.6, most: 5000 },
  /** Assumption: the number of conversations of a member, with the same formula. */
  conversations: { least: 15, exponent: 0.5, most: 300 },
  /**
   * Assumption: the number of members of the group to which a message is sent, with the same formula. 5,000
   * is the largest group that Engawa measures.
   */
  group: { least: 5, exponent: 0.8, most: 5000 },
  /**
   * Assumption: the fraction of the most followed member's online followers who like a new post, and the
   * seconds in which they do.
   */
  burst: { part: 0.2, seconds: 60 },
  /** Assumption: the number of people with whom a member has a private chat. */
  contacts: 50,
  /**
   * The maximum number of online members of whom a window shows all (`maxCompleteMemberList`); if more are
   * online, it shows the contacts.
   */
  completePresenceList: 500,
} as const

/** The processor time that single actions cost in the scaling model, in µs of one core. */
export const scalingModelCpuCosts = {
  /**
   * Assumption: one SQL statement on one shard, with its parsing, its plan and its response. Measured for
   * lists on PostgreSQL, one process, members in turn: 2,000 requests a second, so 1,000 µs of two cores for
   * client, process and two queries.
   */
  statement: 100,
  /** Assumption: reading one row by an index, with its visibility check and a join. */
  row: 5,
  /** Assumption: the processor time in µs for writing one row with its indexes and its part of the WAL. */
  write: 40,
  /** Assumption: comparing one name in a search. */
  scannedName: 0.3,
  /**
   * Assumption: handling one request in an Engawa process; 30 to 250 µs are measured on SQLite with caches.
   */
  request: 400,
  /** Creating one HTML page: “some milliseconds” in docs/performance.md. */
  page: 4000,
  /** Assumption: sending a picture of 40 kB from S3 to the browser. */
  picture: 300,
  /** Sending one event to one socket. Measured: 610,000 to 650,000 deliveries a second to 1,000 sockets. */
  frame: 1.6,
  /**
   * Assumption: reading one message of another process. `JSON.parse` alone took 0.6 to 0.8 µs for 250 to 660
   * bytes, and 12 µs for 15 kB.
   */
  busMessage: 15,
  /** Assumption: the time for which a like locks the row of its post, with the commit on a second node. */
  likeLock: 5000,
} as const

/** The sizes of single things in the scaling model, in bytes. */
export const scalingModelByteSizes = {
  /** The bytes of one row with its indexes on SQLite, by table, from bench/community.ts. */
  post: 330,
  like: 75,
  message: 350,
  follow: 60,
  /** Assumption: one row in `notification_events` with its indexes on SQLite. */
  notificationEvent: 150,
  /**
   * Assumption: the factor by which PostgreSQL needs more space than SQLite, because of a header of 23 bytes
   * for each row, and dead rows.
   */
  postgresFactor: 1.6,
  /** One member in the list of who is online, as sent to a window: id, name and path of the picture. */
  presenceEntry: 110,
  /** Assumption: one member in the list of who is online, in the memory of a process. */
  presenceMemory: 350,
  /** The memory of one open socket. Measured: 16 to 25 kB with 1,000 idle sockets. */
  socket: 25_000,
  /** The memory of an idle process, as measured. */
  process: 84e6,
  busMessage: 500,
  idInJson: 9,
  /** The name of a member's channel in a JSON list, with quotes and comma. */
  channelInJson: 24,
  picture: 40_000,
  /** Assumption: all widths of a new picture together, in five files. */
  newPicture: 400_000,
  filesOfPicture: 5,
} as const

/**
 * The maximum figures that the scaling model allows, each in the unit of the simulated figure that is
 * compared with it.
 */
export const scalingModelLimits = {
  /**
   * The maximum size in bytes of the list of who is online: as much as the budget of the first page (`npm run
   * sizes`).
   */
  presenceList: 120_000,
  /**
   * Assumption: the maximum number of live events a second for which the phone of a reader has to wake up and
   * draw.
   */
  eventsOfWindow: 20,
  /**
   * The maximum fraction of a core that a process may spend on messages of other processes that no window of
   * this process needs.
   */
  busCore: 0.25,
  /**
   * The maximum number of deliveries a second of one Redis node. Redis took half of a pair of cores for about
   * 700,000 deliveries a second (measured: Engawa's 610,000 to 650,000 were 0.67 to 0.91 of it). The limit is
   * half of that, because of peaks.
   */
  redisDeliveries: 350_000,
  /** Assumption: the maximum number of jobs a second in one table that all job runners lock. */
  jobsOfTable: 1000,
  /** The maximum fraction of the time for which the row of one post may be locked. */
  rowLock: 0.5,
  /** The maximum time in µs that one list or page should take the database. */
  longQuery: 100_000,
  /** The maximum number of bytes of one live event, because each process receives it. */
  event: 1e6,
  /** The maximum fraction of the database's processors that searches for names may take. */
  searchCores: 0.25,
  /** Assumption: the maximum number of connections to one database node without a connection pooler. */
  connections: 500,
  /** The number of database connections of one process: the pool size of core/database/postgres.ts. */
  connectionsOfProcess: 10,
  /**
   * Assumption: the number of connections of a connection pooler to each database node, in the design `next`.
   */
  pooledConnections: 100,
  processMemory: 1e9,
  /**
   * The number of sockets for which the scaling model plans each process. The server itself refuses more than
   * 20,000 (`maxConnections`).
   */
  socketsOfProcess: 5000,
  /**
   * The maximum fraction of a core that a process may use at its peak, and of its processors that a database
   * node may use.
   */
  busy: 0.5,
  coresOfNode: 16,
  /** The number of processes on one machine: one for each core. */
  processesOfMachine: 8,
  /**
   * The maximum bytes of rows on a database node after `years`, so that a backup and a restore take hours and
   * not days.
   */
  nodeBytes: 2e12,
  years: 3,
} as const

// The inputs of the simulation in bench/scaling.ts. “Measured” figures are from docs/performance.md (two
// cores, which also ran the client). All others are assumptions: change them here and run it again.

/** How people use the community. Numbers of a day are for one active member. */
export const scalingModelMemberBehaviour = {
  /** Assumption: the part of the members who come on a day. */
  dailyActive: 0.4,
  /** Assumption: the busiest hour has three times the requests of an average hour. */
  peakFactor: 3,
  visits: 10,
  minutesOnline: 60,
  /** Windows of one member who is online. */
  windows: 1.3,
  /** The part of the windows that have shown posts, and so listen to the channel `posts`. */
  windowsWithPosts: 0.7,
  posts: 0.4,
  replies: 1.5,
  likes: 8,
  follows: 0.3,
  /**
   * An assumption. For comparison, from memory and not checked: WhatsApp named 100 billion messages a day of
   * two billion people in 2020, which is 50 for each.
   */
  privateMessages: 12,
  groupMessages: 8,
  readMarks: 20,
  /** Pictures that the browser has not cached. */
  pictures: 40,
  /** Commands of Redis for a request: the limits of its address and its account, and some locks. */
  redisCommands: 2.5,
  /** New pictures in posts, messages and profiles. */
  newPictures: 0.9,
  /** Assumption: jobs for each chat message: one fills the queues, the others send to devices. */
  jobsPerMessage: 2.5,
} as const

/** Shapes of the distributions. */
export const scalingModelDistributionShapes = {
  /**
   * Followers by rank fall as rank^-0.78. It is 1 / (2.276 - 1). The exponent 2.276 is that of Kwak and
   * others for Twitter (WWW 2010), cited from memory and not checked.
   */
  popularity: 0.78,
  /** Assumption: the part of the members who follow the most followed member. */
  mostFollowed: 0.3,
  /**
   * Assumption: the number of people whom a member follows. It is least × u^-exponent with a uniform u, so
   * 100 on average, 60 in the median.
   */
  followed: { least: 40, exponent: 0.6, most: 5000 },
  /** Assumption: the conversations of a member. */
  conversations: { least: 15, exponent: 0.5, most: 300 },
  /** Assumption: the members of the group of a message. 5,000 is the largest group that Engawa measures. */
  group: { least: 5, exponent: 0.8, most: 5000 },
  /** Assumption: a fifth of the followers who are online like a new post in the same minute. */
  burst: { part: 0.2, seconds: 60 },
  /** Assumption: the people with whom a member has a private chat. */
  contacts: 50,
  /** The number of members up to which a window shows all who are online (`maxCompleteMemberList`). */
  completePresenceList: 500,
} as const

/** Costs in µs of one core. */
export const scalingModelCpuCosts = {
  /**
   * Assumption: one statement on one shard, with its parsing, its plan and its answer. Measured lists on
   * PostgreSQL, one process, members in turn: 2,000/s, so 1,000 µs of two cores for client, process and
   * two queries.
   */
  statement: 100,
  /** Assumption: one row by an index, with its visibility check and a join. */
  row: 5,
  /** Assumption: one written row with its indexes and its part of the WAL. */
  write: 40,
  /** Assumption: one name that a search compares. */
  scannedName: 0.3,
  /** Assumption: a request in the process; on SQLite with caches 30 to 250 µs are measured. */
  request: 400,
  /** “Some milliseconds” in docs/performance.md. */
  page: 4000,
  /** Assumption: a picture of 40 kB from S3 to the browser. */
  picture: 300,
  /** Measured: 610,000 to 650,000 deliveries a second to 1,000 sockets. */
  frame: 1.6,
  /** Assumption. `JSON.parse` alone took 0.6 to 0.8 µs for 250 to 660 bytes, and 12 µs for 15 kB. */
  busMessage: 15,
  /** Assumption: how long a like locks the row of its post, with the commit on a second node. */
  likeLock: 5000,
} as const

/** Sizes in bytes. */
export const scalingModelByteSizes = {
  /** Rows with their indexes on SQLite, from bench/community.ts. */
  post: 330,
  like: 75,
  message: 350,
  follow: 60,
  /** Assumption. */
  notificationEvent: 150,
  /** Assumption: PostgreSQL needs more than SQLite: a header of 23 bytes for each row, and dead rows. */
  postgresFactor: 1.6,
  /** A member in the list of who is online: id, name and path of the picture. */
  presenceEntry: 110,
  /** Assumption: the same member in the memory of a process. */
  presenceMemory: 350,
  /** Measured: 16 to 25 kB of 1,000 idle sockets. */
  socket: 25_000,
  /** Measured: memory of an idle process. */
  process: 84e6,
  busMessage: 500,
  idInJson: 9,
  /** The name of a member's channel, with quotes and comma. */
  channelInJson: 24,
  picture: 40_000,
  /** Assumption: all widths of a new picture together, in five files. */
  newPicture: 400_000,
  filesOfPicture: 5,
} as const

/** The most that a part may have, in the unit of the figure that is compared with it. */
export const scalingModelLimits = {
  /** The budget of the first page, in bytes (`npm run sizes`). */
  presenceList: 120_000,
  /** Assumption: live events a second for which a phone has to wake up and draw. */
  eventsOfWindow: 20,
  /** The part of a core for messages of other processes that no window of this process needs. */
  busCore: 0.25,
  /**
   * Redis took half of a core pair for about 700,000 deliveries a second (measured: Engawa's 610,000 to
   * 650,000 were 0.67 to 0.91 of it). Half of that, for peaks.
   */
  redisDeliveries: 350_000,
  /** Assumption: jobs a second of one table that all runners lock. */
  jobsOfTable: 1000,
  /** The part of a second in which the row of one post may be locked. */
  rowLock: 0.5,
  /** A list or a page should not take the database longer than this, in µs. */
  longQuery: 100_000,
  /** The most bytes that one event may have, because each process receives them. */
  event: 1e6,
  /** The part of the processors of the database that searches for names may take. */
  searchCores: 0.25,
  /** Assumption: connections of one node without a pooler. */
  connections: 500,
  /** The pool of core/database/postgres.ts. */
  connectionsOfProcess: 10,
  /** Assumption: connections of a pooler to each node, after the next cut. */
  pooledConnections: 100,
  processMemory: 1e9,
  /** Sockets of a process; the code refuses more than 20,000. */
  socketsOfProcess: 5000,
  /** The part of a core that a process uses at its peak, and of its processors that a database node uses. */
  busy: 0.5,
  coresOfNode: 16,
  /** Processes on one machine, one for each core. */
  processesOfMachine: 8,
  /** Bytes on a database node after `years`, so that a backup and a restore take hours and not days. */
  nodeBytes: 2e12,
  years: 3,
} as const

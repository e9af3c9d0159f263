import type { DatabaseTables } from '#core/database/database.ts'

// This module has the plan by which the tables would be distributed over the shards of a distributed
// PostgreSQL. docs/scaling.md explains it. Engawa does not use this plan: only `bench/scaling.ts` and
// tests/scaling.test.ts read this file.

/**
 * The rule that decides on which shard or node each row of a table is:
 * - `member`, `post`, `conversation`: on the shard of the member, of the post's author, or of the
 *   conversation. New ids of members, posts, conversations and of their rows contain that shard.
 * - `text`: on the shard of the post, reply or message to which the row belongs.
 * - `value`: on the shard whose number is the hash of a column's value.
 * - `copied`: all rows are on every node, because they are few and seldom change.
 * - `single`: all rows are on one node, because only admins and moderators write them.
 */
type Placement = 'member' | 'post' | 'conversation' | 'text' | 'value' | 'copied' | 'single'

export interface ShardPlacementAndKeyColumnsOfTable {
  placement: Placement
  /**
   * The names of the columns whose value decides on which shard a row is. Empty for `copied` and `single`.
   */
  columns: readonly string[]
  /**
   * The name of a column by which the rows are stored a second time, on the shard of its value, because lists
   * read them by this column too.
   */
  secondColumn?: string
}

const member = (column = 'user_id', secondColumn?: string): ShardPlacementAndKeyColumnsOfTable => ({
  placement: 'member',
  columns: [column],
  ...(secondColumn && { secondColumn }),
})
const post = (column = 'post_id'): ShardPlacementAndKeyColumnsOfTable => ({
  placement: 'post',
  columns: [column],
})
const conversation = (column: string): ShardPlacementAndKeyColumnsOfTable => ({
  placement: 'conversation',
  columns: [column],
})
const text: ShardPlacementAndKeyColumnsOfTable = {
  placement: 'text',
  columns: ['post_id', 'reply_id', 'message_id'],
}
const value = (column: string): ShardPlacementAndKeyColumnsOfTable => ({
  placement: 'value',
  columns: [column],
})
const copied: ShardPlacementAndKeyColumnsOfTable = { placement: 'copied', columns: [] }
const single: ShardPlacementAndKeyColumnsOfTable = { placement: 'single', columns: [] }

/**
 * The name of a table in the database. `DatabaseTables` also has a table of SQLite itself, and lacks the two
 * tables of core/database/migrate.ts.
 */
type TableName = Exclude<keyof DatabaseTables, 'sqlite_sequence'> | 'migrations' | 'named_locks'

/** The shard key of each table. A new table without a key does not compile. */
export const scalingModelShardKeysByTable: Record<TableName, ShardPlacementAndKeyColumnsOfTable> = {
  // The rows of members, and the rows that belong to one member, are on the shard of the member.
  users: member('id'),
  sessions: member(),
  admins: member(),
  moderators: member(),
  suspensions: member(),
  deletion_suspensions: member(),
  security_log: member(),
  member_languages: member(),
  known_members: member(),
  new_member_counts: member(),
  follows: member('follower_id', 'followed_id'),
  blocks: member('blocker_id', 'blocked_id'),
  mutes: member('muter_id', 'muted_id'),
  children: member(),
  guardians: member('child_id', 'guardian_id'),
  guardian_mails: member(),
  child_contacts: member('child_id', 'person_id'),
  child_notices: member('child_id'),
  child_attempts: member('child_id'),
  account_deletions: member(),
  email_changes: member(),
  recovery_codes: member(),
  one_time_secrets: member(),
  second_step_failures: member(),
  password_resets: member(),
  passkeys: member(),
  device_links: member(),
  member_cards: member(),
  invitation_uses: member(),
  bookmarks: member(),
  cart_items: member(),
  hidden_read_marks: member(),
  notifications: member(),
  notification_events: member('notification_id'),
  notification_switches_off: member(),
  quiet_hours: member(),
  push_subscriptions: member(),
  push_settings: member(),
  push_items: member('subscription_id'),
  digest_settings: member(),
  digests: member(),
  delivery_steps: member(),
  exports: member(),
  moderation_notices: member(),

  // The rows of posts are on the shard of their author. The rows that others add to a post are on the same
  // shard.
  posts: post('id'),
  newest_posts: member(),
  post_images: post(),
  post_versions: post(),
  post_tags: { ...post(), secondColumn: 'tag' },
  hidden_posts: post(),
  post_announcements: post(),
  likes: post(),
  replies: post(),
  reply_images: post('reply_id'),
  reply_likes: post('reply_id'),

  // The rows of conversations are on the shard of the conversation. A private chat is on the shard of the
  // member with the smaller id.
  conversations: conversation('id'),
  conversation_members: { ...conversation('conversation_id'), secondColumn: 'user_id' },
  messages: conversation('conversation_id'),
  message_attachments: conversation('message_id'),
  pinned_messages: conversation('message_id'),
  forwarded_messages: conversation('message_id'),
  group_changes: conversation('conversation_id'),

  // These rows are on the shard of the post, reply or message to which they belong.
  reactions: text,
  link_previews: text,
  mentions: { ...text, secondColumn: 'mentioned_id' },

  // These rows are found by a value, and are on its shard. New names of pictures, and new ids of jobs,
  // contain the shard of the row to which they belong, so that one transaction on one shard writes both.
  write_checks: value('id'),
  media: value('name'),
  pending_media: value('name'),
  media_sources: value('name'),
  unreferenced_media: value('name'),
  jobs: value('id'),
  live_deliveries: value('subject_id'),
  delivery_counts: value('hour'),
  export_files: value('name'),
  link_pages: value('url_hash'),
  log_in_challenges: value('session_hash'),
  passkey_challenges: value('session_hash'),
  reserved_emails: value('email_key'),
  mail_counts: value('subject'),
  named_locks: value('name'),

  settings: copied,
  secrets: copied,
  community_picture: copied,
  products: copied,
  migrations: copied,

  audit_log: single,
  audit_log_head: single,
  backups: single,
  retention_schedules: single,
  server_conditions: single,
  invitations: single,
  join_requests: single,
  join_decisions: single,
  member_lists: single,
  report_cases: single,
  reports: single,
  case_decisions: single,
  case_parties: single,
  evidence_openings: single,
  example_groups: single,
  example_members: single,
}

/**
 * The way in which a unique constraint stays true although it contains no column of its table's shard key. A
 * shard can only compare the rows that it has:
 * - `same shard`: two rows that would violate the constraint are on the same shard anyway.
 * - `token`: new tokens begin with the shard of their member, so that equal tokens are on the same shard. A
 *   token is random, so nobody chooses it.
 * - `name row`: an additional table, whose shard is that of the value, has a row for each value. This row is
 *   inserted first.
 */
type UniqueRemedy = 'same shard' | 'token' | 'name row'

/**
 * The unique constraints and primary keys without a column of their table's shard key, as `table (columns)`,
 * each with the way in which it stays true. Tests compare this list with the schema.
 */
export const shardingRemediesByUniqueConstraint: Readonly<Record<string, UniqueRemedy>> = {
  'users (email_key)': 'name row',
  'users (handle)': 'name row',
  'passkeys (credential_id)': 'name row',
  'push_subscriptions (endpoint)': 'name row',
  'member_cards (code_hash)': 'name row',
  'posts (user_id, client_id)': 'same shard',
  'replies (user_id, client_id)': 'same shard',
  'conversations (pair)': 'same shard',
  'push_subscriptions (session_hash)': 'token',
  'sessions (token_hash)': 'token',
  'password_resets (token_hash)': 'token',
  'device_links (token_hash)': 'token',
  'email_changes (token_hash)': 'token',
  'email_changes (undo_token_hash)': 'token',
}

/**
 * The number of shards in the simulation. Each database node has several shards, so a new node takes over
 * whole shards and no row changes its shard. The Citus documentation advises 32 to 128.
 */
export const SIMULATED_SHARD_COUNT = 64
const allShards: readonly number[] = Array.from({ length: SIMULATED_SHARD_COUNT }, (_, shard) => shard)

/**
 * Returns the number of the shard on which an id is. The simulation hashes ids; real ids would contain the
 * shard.
 */
export function toSimulatedShard(id: number) {
  const mixed = Math.imul(id ^ (id >>> 16), 0x45d9f3b)
  return ((mixed ^ (mixed >>> 16)) >>> 0) % SIMULATED_SHARD_COUNT
}

/**
 * Returns the numbers of the shards that a query has to ask if it compares `column` with the ids: all shards
 * if the column is no shard key of the table, and none if every node has a copy of the table.
 */
export function findShardsOfSimulatedQuery(
  table: keyof typeof scalingModelShardKeysByTable,
  column: string,
  ids: readonly number[],
) {
  const { placement, columns, secondColumn } = scalingModelShardKeysByTable[table]
  if (placement === 'copied') return []
  if (placement === 'single') return [0]
  if (!columns.includes(column) && column !== secondColumn) return allShards
  return [...new Set(ids.map(toSimulatedShard))]
}

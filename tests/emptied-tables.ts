/**
 * The names of the database tables from which tests/permissions.test.ts deletes all rows before each request,
 * because the previous request may have changed them.
 */
export const emptiedTables = [
  'suspensions',
  'deletion_suspensions',
  'children',
  'account_deletions',
  'follows',
  'blocks',
  'mutes',
  'child_contacts',
  'invitations',
  'reports',
  'moderators',
  'roll_calls',
  'scheduled',
  'albums',
  'year_turns',
]

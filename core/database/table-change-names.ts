/**
 * The name of the change that stands for a change of any table. It empties all caches, whatever they depend
 * on.
 */
export const ANY_TABLE_CHANGE = '*'

/**
 * The number of versions that all members share, so that Redis and the process need a bounded amount of
 * memory. A change of one member empties the caches of the others with the same version too.
 */
const MEMBER_VERSIONS = 4096

/** Returns the name of the version of the rows of a member. Statements of `Tx.forRowsOfMember` change it. */
export const toMemberVersionName = (member: number) => `member ${member % MEMBER_VERSIONS}`

/** Returns the name of the version of a table that statements of `Tx.forRowsOfMember` do not change. */
export const toTableVersionNameSharedByAllMembers = (table: string) => `every ${table}`

/** Separates a change from the name of the member whose rows it changes. */
const OF = ' of '

/** Returns the name of a change that concerns only rows of one member. */
export const toMemberChangeName = (change: string, member: number) =>
  change === ANY_TABLE_CHANGE ? change : change + OF + toMemberVersionName(member)

/**
 * Returns the names of all versions that these changes make invalid. `addCascades` adds the changes that
 * PostgreSQL makes by itself. A change of rows of one member makes the versions of its table and of the
 * member invalid. Any other change also makes the version of its table for every member invalid.
 */
export function listVersionNamesInvalidatedByChanges(
  changes: Iterable<string>,
  addCascades: (changes: Iterable<string>) => ReadonlySet<string>,
): ReadonlySet<string> {
  const changesByMember = Map.groupBy(changes, (change) => change.split(OF)[1])
  const names = new Set<string>()
  for (const [member, own] of changesByMember)
    for (const change of addCascades(own.map((one) => one.split(OF)[0]!))) {
      names.add(change)
      if (member !== undefined) names.add(member)
      else if (!change.includes(' ')) names.add(toTableVersionNameSharedByAllMembers(change))
    }
  return names
}

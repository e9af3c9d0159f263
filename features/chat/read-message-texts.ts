import type { QueryCacheDependency } from '#core/database/database.ts'
import type { MemberViewerContext } from '#features/people/visibility.ts'
import { filterVisibleMessageIds } from './read-for-reactions.ts'

/**
 * The changes of the table `messages`, besides new rows, that empty the caches of other features that depend
 * on them.
 */
export const cacheDependenciesOnMessageUpdateAndDelete = [
  'update messages',
  'delete from messages',
] as const satisfies readonly QueryCacheDependency[]

/**
 * Reads the texts of those messages with these ids that the viewer may read now (see
 * `filterVisibleMessageIds`), as a map by message id. The text of a message with only pictures or files is
 * empty.
 */
export async function readVisibleMessageTextsById(viewer: MemberViewerContext, ids: readonly number[]) {
  const visible = await filterVisibleMessageIds(viewer, ids)
  if (!visible.length) return new Map<number, string>()
  const rows = await viewer.db
    .selectFrom('messages')
    .select(['id', 'body'])
    .where('id', 'in', visible)
    .execute()
  return new Map(rows.map(({ id, body }) => [id, body]))
}

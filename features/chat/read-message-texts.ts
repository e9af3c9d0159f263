import type { QueryCacheDependency } from '#core/database/database.ts'
import type { MemberViewerContext } from '#features/people/visibility.ts'
import { filterVisibleMessageIds } from './read-for-reactions.ts'

/** The changes of messages besides new ones, for caches of later features. */
export const messageChangeDependencies = [
  'update messages',
  'delete from messages',
] as const satisfies readonly QueryCacheDependency[]

/**
 * Reads the texts of those of these messages that the viewer may read now (see `filterVisibleMessageIds`), by
 * id. The text of a message with only pictures or files is empty.
 */
export async function readVisibleMessageTexts(viewer: MemberViewerContext, ids: readonly number[]) {
  const visible = await filterVisibleMessageIds(viewer, ids)
  if (!visible.length) return new Map<number, string>()
  const rows = await viewer.db
    .selectFrom('messages')
    .select(['id', 'body'])
    .where('id', 'in', visible)
    .execute()
  return new Map(rows.map(({ id, body }) => [id, body]))
}

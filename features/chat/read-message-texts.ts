import type { MemberViewerContext } from '#features/people/visibility.ts'
import { filterVisibleMessageIds } from './read-for-reactions.ts'

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

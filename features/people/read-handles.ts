import { sql } from 'kysely'
import { likePattern } from '#core/database/database.ts'
import { foldNameForSearch, foldReading } from '#core/text/fold-names.ts'
import { foldCaseAndWidth } from '#core/text/unicode.ts'
import * as listed from './listed.ts'
import { allFollowed } from './read-follows.ts'
import type { MemberViewer, ViewerContext } from './visibility.ts'
import * as visibility from './visibility.ts'

/** The handles must be folded. */
export async function findByHandles(viewer: ViewerContext, handles: readonly string[]) {
  if (!handles.length) return []
  return visibility
    .members(viewer)
    .select(['users.id', 'users.handle'])
    .where('users.handle', 'in', [...new Set(handles)])
    .execute()
}

/**
 * See `listed.nameContains`; or the handle begins with the text. Names, readings and handles that begin with
 * it come first, then `preferred` in this order, then people whom the viewer follows.
 */
export function memberSearch(viewer: MemberViewer, text: string, preferred: readonly number[] = []) {
  const name = likePattern(foldNameForSearch(text)).slice(1)
  const reading = likePattern(foldReading(text) || text).slice(1)
  const handle = likePattern(foldCaseAndWidth(text)).slice(1)
  return listed
    .query(viewer)
    .where('users.id', '!=', viewer.me.id)
    .$if(text !== '', (query) =>
      query.where(sql<boolean>`(${listed.nameContains(text)} or users.handle like ${handle} escape '\\')`),
    )
    .orderBy(
      sql`case when name_key like ${name} escape '\\' or reading_key like ${reading} escape '\\'
        or users.handle like ${handle} escape '\\' then 0 else 1 end`,
    )
    .$if(preferred.length > 0, (query) => query.orderBy(positionSql(preferred)))
    .orderBy(sql`case when users.id in ${allFollowed(viewer)} then 0 else 1 end`)
    .orderBy('sort_key')
    .orderBy('users.id')
}

/** The array must not be empty. Other ids come last. */
const positionSql = (ids: readonly number[]) =>
  sql`case users.id ${sql.join(
    ids.map((id, index) => sql`when ${id} then ${sql.lit(index)}`),
    sql` `,
  )} else ${sql.lit(ids.length)} end`

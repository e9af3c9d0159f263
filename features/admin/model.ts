import { sql } from 'kysely'
import { type Cut, folded } from '#core/contract.ts'
import { containing, type Db } from '#core/database.ts'
import { paged } from '#core/http.ts'
import type { Media } from '#core/media.ts'
import { faceUrl, isAdmin } from '#features/people/model.ts'

/** By id; `q` is contained in the name or the address. */
export async function users(db: Db, media: Media, { q, before, after, limit }: Cut & { q: string | null }) {
  const wanted = q === null ? '' : containing(folded(q))
  const rows = await db
    .selectFrom('users')
    .select((query) => ['id', 'name', 'email', 'email_verified_at', 'created_at', 'image', isAdmin(query).as('admin')] as const)
    .$if(q !== null, (query) => query.where(sql<boolean>`(name_key like ${wanted} escape '\\' or email_key like ${wanted} escape '\\')`))
    .$if(before !== undefined, (query) => query.where('id', '<', before!))
    .$if(after !== undefined, (query) => query.where('id', '>', after!))
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  const account = ({ image, admin, ...row }: (typeof rows)[number]) => ({
    ...row,
    is_admin: Boolean(admin),
    profile_image: faceUrl(media, image),
  })
  return paged(
    rows,
    limit,
    (last) => ({ after: last.id }),
    (shown) => ({ userData: shown.map(account) }),
  )
}

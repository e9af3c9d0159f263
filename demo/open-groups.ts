import { sql } from 'kysely'
import { type AppContext, withoutRoles } from '#core/context.ts'
import { memberIndex } from '#demo/members.ts'
import * as access from '#features/open-groups/access.ts'
import type { Access } from '#features/open-groups/contract.ts'
import * as requests from '#features/open-groups/requests.ts'

const found: readonly [name: string, access: Access, reading: string | null][] = [
  ['陶芸クラブ', 'ask', 'とうげいくらぶ'],
  ['灯り祭り準備会', 'open', 'あかりまつりじゅんびかい'],
  ['読書会', 'open', 'どくしょかい'],
]

/** Some groups that one can find, and a request that waits for the admin. */
export async function seedOpenGroups(context: AppContext, ids: readonly number[]) {
  const as = (who: string) => withoutRoles(context, ids[memberIndex(who)]!)
  const admin = { ...as('aya'), me: { ...as('aya').me, is_admin: true }, session: { token: '' } }
  for (const [name, mode, reading] of found) {
    const { rows } = await sql<{ id: number }>`select id from conversations where name = ${name}`.execute(
      context.db,
    )
    const { id } = rows[0]!
    await access.set(admin, id, { access: mode, reading })
    if (mode === 'ask') await requests.join(as('daniel'), id)
  }
}

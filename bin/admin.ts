import { BadSetting } from '#core/config.ts'
import { foldCase } from '#core/contract.ts'
import type { Db } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { grantAdmin, revokeAdmin } from '#features/people/model.ts'
import { type Command, inCommunity } from './community.ts'

export const admin: Record<string, Command> = {
  'admin list': {
    says: 'who is an admin',
    run: () =>
      inCommunity(async ({ db }) => {
        const rows = await db
          .selectFrom('admins')
          .innerJoin('users', 'users.id', 'admins.user_id')
          .select(['users.id', 'name', 'email'])
          .orderBy('users.id')
          .execute()
        return (
          rows.map(({ id, name, email }) => `${id}\t${email}\t${name}`).join('\n') || 'Nobody is an admin.'
        )
      }),
  },
  'admin grant': {
    takes: 'EMAIL',
    says: 'makes an account an admin',
    run: (email) =>
      inCommunity(async ({ db }) => {
        await transaction(db, async (tx) => grantAdmin(tx, await idOf(tx, email!)))
        return `${email} is an admin.`
      }),
  },
  'admin revoke': {
    takes: 'EMAIL',
    says: 'takes that away',
    run: (email) =>
      inCommunity(async ({ db }) => {
        await transaction(db, async (tx) => revokeAdmin(tx, await idOf(tx, email!)))
        return `${email} is not an admin.`
      }),
  },
}

async function idOf(db: Db, email: string) {
  const account = await db
    .selectFrom('users')
    .select('id')
    .where('email_key', '=', foldCase(email))
    .executeTakeFirst()
  if (!account) throw new BadSetting(`No account has the address ${email}.`)
  return account.id
}

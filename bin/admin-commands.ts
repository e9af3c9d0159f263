import { OperatorError } from '#core/config.ts'
import type { Db } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import * as logInCards from '#features/cards/cards.ts'
import * as accounts from '#features/people/accounts.ts'
import { grantAdmin, revokeAdmin } from '#features/people/admins.ts'
import { isChildAccount } from '#features/people/children.ts'
import { nameToLogIn } from '#features/people/contract.ts'
import * as credentials from '#features/people/credentials.ts'
import { type CliCommand, withCommunityDatabase } from './cli-community.ts'

export const adminCliCommandsByName: Record<string, CliCommand> = {
  'admin list': {
    description: 'lists the admins',
    run: () =>
      withCommunityDatabase(async ({ db }) => {
        const rows = await db
          .selectFrom('admins')
          .innerJoin('users', 'users.id', 'admins.user_id')
          .select(['users.id', 'name', 'email', 'handle'])
          .orderBy('users.id')
          .execute()
        return (
          rows.map(({ id, name, ...row }) => `${id}\t${nameToLogIn(row)}\t${name}`).join('\n') ||
          'Nobody is an admin.'
        )
      }),
  },
  'admin grant': {
    argument: 'EMAIL',
    description: 'makes an account an admin',
    run: (email) =>
      withCommunityDatabase(async ({ db }) => {
        const account = await requireAccount(db, email!)
        // Locks the row of the account, so that nobody suspends the account while it becomes an admin.
        await accounts.change({ db }, account, async (tx, { id }) => {
          if (await logInCards.hasUnused(tx, id))
            throw new OperatorError(`${email} has not come in yet. Set a password first.`)
          if (await isChildAccount(tx, id))
            throw new OperatorError(`${email} is the account of a child, which cannot be an admin.`)
          if (!(await grantAdmin(tx, id)))
            throw new OperatorError(`${email} is suspended. An admin has to lift the suspension first.`)
        })
        return `${email} is an admin.`
      }),
  },
  'admin revoke': {
    argument: 'EMAIL',
    description: 'removes the admin rights of an account',
    run: (email) =>
      withCommunityDatabase(async ({ db }) => {
        await transaction(db, async (tx) => {
          const id = await requireAccount(tx, email!)
          const admins = await accounts.lockAdmins(tx)
          if (admins.length === 1 && admins[0] === id)
            throw new OperatorError(`${email} is the last admin. Make somebody else an admin first.`)
          await revokeAdmin(tx, id)
        })
        return `${email} is not an admin.`
      }),
  },
}

/**
 * Returns the id of the account with this email address or handle. Throws an OperatorError if there is none.
 */
export async function requireAccount(db: Db, emailOrHandle: string) {
  const account = await credentials.find(db, emailOrHandle)
  if (!account) throw new OperatorError(`No account has the address or the handle ${emailOrHandle}.`)
  return account.id
}

import { checkAuditLog } from '#core/audit-log.ts'
import { OperatorError } from '#core/config.ts'
import { foldCase } from '#core/contract.ts'
import type { Db } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { lockAdmins, withLockedAccount } from '#features/people/accounts.ts'
import { grantAdmin, revokeAdmin } from '#features/people/admins.ts'
import { type CliCommand, withCommunityDatabase } from './cli-community.ts'

export const adminCommands: Record<string, CliCommand> = {
  'admin list': {
    description: 'lists the admins',
    run: () =>
      withCommunityDatabase(async ({ db }) => {
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
    argument: 'EMAIL',
    description: 'makes an account an admin',
    run: (email) =>
      withCommunityDatabase(async ({ db }) => {
        // The lock prevents a suspension at the same moment.
        await withLockedAccount({ db }, await idOf(db, email!), async (tx, { id }) => {
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
          const id = await idOf(tx, email!)
          const admins = await lockAdmins(tx)
          if (admins.length === 1 && admins[0] === id)
            throw new OperatorError(`${email} is the last admin. Make somebody else an admin first.`)
          await revokeAdmin(tx, id)
        })
        return `${email} is not an admin.`
      }),
  },
  'log check': {
    description: 'checks that nobody changed the log of admins',
    run: () =>
      withCommunityDatabase(async ({ db }) => {
        const result = await checkAuditLog(db)
        if (!result.isIntact)
          throw new OperatorError(
            `The log of what admins did was changed with another tool, at entry ${result.firstWrongId} or later.`,
          )
        const { entries, hash } = result
        return `The log is intact: ${entries} entries.${hash && ` The hash of the last one is ${hash}`}`
      }),
  },
}

/** Returns the id of the account with this address. Throws an OperatorError if there is none. */
export async function idOf(db: Db, email: string) {
  const account = await db
    .selectFrom('users')
    .select('id')
    .where('email_key', '=', foldCase(email))
    .executeTakeFirst()
  if (!account) throw new OperatorError(`No account has the address ${email}.`)
  return account.id
}

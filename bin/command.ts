import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { migrations } from '#app.ts'
import { BadSetting, readConfig } from '#core/config.ts'
import { folded } from '#core/contract.ts'
import { type Db, dueMigrations } from '#core/database.ts'
import { grantAdmin, revokeAdmin } from '#features/people/model.ts'
import { explain, openDatabase } from '#main.ts'

const usage = `engawa: takes care of a community. It works beside a running server, with the same settings (DATA_DIR, DATABASE_URL).

  engawa                        serves
  engawa demo                   serves an invented community, on a folder that goes away again
  engawa admin list             who is an admin
  engawa admin grant EMAIL      makes an account an admin
  engawa admin revoke EMAIL     takes that away
`

type Command = (db: Db, email: string) => Promise<string>

const commands: Record<string, { takesEmail: boolean; run: Command }> = {
  'admin list': {
    takesEmail: false,
    run: async (db) => {
      const rows = await db
        .selectFrom('admins')
        .innerJoin('users', 'users.id', 'admins.user_id')
        .select(['users.id', 'name', 'email'])
        .orderBy('users.id')
        .execute()
      return rows.map(({ id, name, email }) => `${id}\t${email}\t${name}`).join('\n') || 'Nobody is an admin.'
    },
  },
  'admin grant': {
    takesEmail: true,
    run: async (db, email) => {
      await grantAdmin(db, await idOf(db, email))
      return `${email} is an admin.`
    },
  },
  'admin revoke': {
    takesEmail: true,
    run: async (db, email) => {
      await revokeAdmin(db, await idOf(db, email))
      return `${email} is not an admin.`
    },
  },
}

async function idOf(db: Db, email: string) {
  const account = await db.selectFrom('users').select('id').where('email_key', '=', folded(email)).executeTakeFirst()
  if (!account) throw new BadSetting(`No account has the address ${email}.`)
  return account.id
}

async function main([noun, verb, email = '', ...rest]: string[]) {
  const command = commands[`${noun} ${verb}`]
  if (!command || rest.length || command.takesEmail !== Boolean(email)) {
    console.error(usage)
    process.exit(2)
  }
  process.env.DATA_DIR ??= join(import.meta.dirname, '../data')
  const { DATA_DIR, DATABASE_URL } = process.env
  if (!DATABASE_URL && !existsSync(join(DATA_DIR!, 'engawa.db')))
    throw new BadSetting(`DATA_DIR holds no community: there is no engawa.db in ${DATA_DIR}.`)
  const database = await openDatabase(readConfig())
  if ((await dueMigrations(database.db, migrations)).length)
    throw new BadSetting('The database is of another version: start the server once, then try again.')
  console.log(await command.run(database.db, email))
  await database.close()
}

await main(process.argv.slice(2)).catch(explain)

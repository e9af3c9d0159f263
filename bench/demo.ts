import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { allMigrations, buildApp } from '#app.ts'
import { type BrowserCookies, logInCookies } from '#bin/screenshot-browser.ts'
import { OperatorError, readConfig } from '#core/config.ts'
import { type AppContext, withoutRoles } from '#core/context.ts'
import { runMigrations } from '#core/database/migrate.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import { transaction } from '#core/database/transaction.ts'
import { memberIndex } from '#demo/members.ts'
import { demoPosts } from '#demo/posts.ts'
import { seedDemoCommunityIfEmpty } from '#demo/seed.ts'
import * as chats from '#features/conversations/read.ts'
import { loadBuiltFrontend } from '#main.ts'
import { chromiumArguments, findChromium } from '#tests/programs.ts'
import { startServer } from './processes.ts'

export const POSTS = 520
export const MESSAGES = 10_000
const [ben, tomas] = [memberIndex('ben') + 1, memberIndex('tomas') + 1]
/** A private chat of Ben; `addLongLists` makes it long. */
export const CHAT = `/privatechat/${tomas}`

export interface Demo {
  url: string
  browser: Browser
  /** A new folder, removed when the process ends. */
  folder: string
  logIn: (who: 'ben' | 'aya') => Promise<BrowserCookies>
  stop: () => Promise<void>
}

/** Opens a browser, and starts a server with the demo community. `add` may add rows before the start. */
export async function openDemo(add = async (_context: AppContext) => {}): Promise<Demo> {
  const executablePath = findChromium()
  if (!executablePath) throw new OperatorError('There is no Chromium: install one, or set CHROMIUM_PATH.')
  const folder = mkdtempSync(join(tmpdir(), 'engawa-bench-demo-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' })
  const database = openSqlite(join(folder, 'engawa.db'))
  await runMigrations(database.db, allMigrations)
  const { app, context } = await buildApp({ config, database, frontend: loadBuiltFrontend() })
  await seedDemoCommunityIfEmpty(context)
  await add(context)
  await app.close()
  await database.close()
  const { url, stop } = await startServer(folder)
  const browser = await chromium.launch({ executablePath, args: chromiumArguments })
  return {
    ...{ url, browser, folder },
    logIn: (who) => logInCookies({ browser, url }, who),
    async stop() {
      await browser.close()
      await stop()
    },
  }
}

export async function addLongLists(context: AppContext) {
  await addPosts(context)
  await addMessages(context)
}

/** Copies of the demo's posts with their pictures, until there are enough. */
async function addPosts({ db }: AppContext) {
  const written = await db.selectFrom('posts').selectAll().orderBy('id').execute()
  const pictures = Map.groupBy(
    await db.selectFrom('post_attachments').selectAll().orderBy('id').execute(),
    ({ post_id }) => post_id,
  )
  for (let count = written.length; count < POSTS; count++) {
    const { id, client_id: _, ...post } = written[count % written.length]!
    const copy = await transaction(db, (tx) =>
      tx.insertInto('posts').values(post).returning('id').executeTakeFirstOrThrow(),
    )
    const copies = pictures.get(id)?.map(({ id: _, ...picture }) => ({ ...picture, post_id: copy.id })) ?? []
    if (copies.length)
      await transaction(db, (tx) => tx.insertInto('post_attachments').values(copies).execute())
  }
}

/** A year of messages: a few in a row by one member, then by the other, sometimes with a picture. */
async function addMessages(context: AppContext) {
  const { db } = context
  const { conversation } = await chats.requirePrivate(withoutRoles(context, ben), tomas)
  const pictures = await db.selectFrom('post_attachments').select('media').distinct().execute()
  const texts = demoPosts.map(({ text }) => text?.slice(0, 200) ?? '👍')
  const start = Date.now() - 365 * 24 * 3600_000
  const rows = Array.from({ length: MESSAGES }, (_, n) => ({
    conversation_id: conversation!,
    user_id: [ben, tomas, tomas, ben, ben, ben, tomas][Math.floor(n / 2) % 7]!,
    client_id: null,
    body: texts[(n * 7) % texts.length]!,
    created_at: new Date(start + n * 3_000_000).toISOString(),
    edited_at: null,
    deleted_at: null,
  }))
  for (let n = 0; n < MESSAGES; n += 500)
    await transaction(db, async (tx) => {
      const added = await tx
        .insertInto('messages')
        .values(rows.slice(n, n + 500))
        .returning('id')
        .execute()
      const images = added
        .filter(({ id }) => id % 40 === 0)
        .map(({ id }) => {
          const { media } = pictures[id % pictures.length]!
          return { message_id: id, position: 0, media, alt: null }
        })
      await tx.insertInto('message_attachments').values(images).execute()
      await tx
        .updateTable('conversation_members')
        .set({ last_read_id: added.at(-1)!.id })
        .where('conversation_id', '=', conversation!)
        .execute()
    })
}

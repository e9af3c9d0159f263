import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { eventually } from '#tests/eventually.ts'
import { databases, readRows, type TestApp } from '#tests/harness.ts'
import {
  type Actor,
  asChild,
  childContacts,
  contactState,
  createClub,
  decideContact,
  followAs,
  guardianScene,
  sendMessage,
} from './guardian-scene.ts'

// Tests that two transactions which overlap on PostgreSQL leave no contact that nothing allows. SQLite runs
// transactions one after the other, so there is nothing to test. Each test holds the first transaction at the
// table that it writes to next, starts the second one, which waits for it, and then lets both go on. The
// table of `holdWrites` decides how far the first transaction comes.

type Answer = ReturnType<typeof followAs>

/** Returns the number of PostgreSQL connections that wait for a lock. */
async function countWaiting(db: TestApp['db']) {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]!.count
}

/**
 * Locks the table, so that all other transactions that write to it have to wait. Returns a function that ends
 * the lock.
 */
async function holdWrites(db: TestApp['db'], table: string) {
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = transaction(db, async (tx) => {
    await sql`lock table ${sql.table(table)} in share mode`.execute(tx)
    locked.resolve()
    await released.promise
  })
  await locked.promise
  return async () => {
    released.resolve()
    await done
  }
}

/**
 * Runs two requests at the same time. `first` waits when it writes to the table, and `second`, which starts
 * later, waits for `first`. Returns the status codes of both responses.
 */
async function overlap(db: TestApp['db'], table: string, first: () => Answer, second: () => Answer) {
  const waitFor = (count: number) => eventually(async () => expect(await countWaiting(db)).toBe(count))
  const release = await holdWrites(db, table)
  const answers = [first()]
  try {
    await waitFor(1)
    answers.push(second())
    await waitFor(2)
  } finally {
    await release()
  }
  return (await Promise.all(answers)).map(({ status }) => status)
}

const isFollowing = async (db: TestApp['db'], follower: Actor, followed: Actor) =>
  (await readRows(db, 'follows')).some(
    (row) => Number(row.follower_id) === follower.id && Number(row.followed_id) === followed.id,
  )
const countMessages = async (db: TestApp['db']) => (await readRows(db, 'messages')).length

describe.runIf(databases.includes('postgres'))('at the same moment on postgres', () => {
  /**
   * Starts a test app in which Mum has allowed the contact of Kid and Uma. The returned function `refuse`
   * sends the refusal of Dad.
   */
  async function openWithAllowedContact() {
    const scene = await guardianScene('postgres')
    const { Kid, Uma, Mum } = scene
    expect((await followAs(Uma, Kid)).status).toBe(403)
    expect((await decideContact(Mum, Kid, Uma, 'allowed')).status).toBe(200)
    return {
      ...scene,
      refuse: () => decideContact(scene.Dad, Kid, Uma, 'refused', 'allowed'),
    }
  }

  describe('a contact begins, and a guardian refuses it:', () => {
    test('a follow that comes first ends', async () => {
      const { db, Kid, Uma, Mum, refuse } = await openWithAllowedContact()
      expect(await overlap(db, 'notifications', () => followAs(Uma, Kid), refuse)).toEqual([200, 200])
      expect(await isFollowing(db, Uma, Kid)).toBe(false)
      expect(await contactState(Mum, Kid, Uma)).toBe('refused')
    })

    test('a message that comes first stays, and is the last one', async () => {
      const { db, Kid, Uma, refuse } = await openWithAllowedContact()
      expect((await followAs(Uma, Kid)).status).toBe(200)
      expect(await overlap(db, 'messages', () => sendMessage(Uma, Kid), refuse)).toEqual([200, 200])
      expect(await countMessages(db)).toBe(1)
      expect((await sendMessage(Uma, Kid)).status).toBe(403)
    })

    test('a message that comes second is refused', async () => {
      const { db, Kid, Uma, refuse } = await openWithAllowedContact()
      expect((await followAs(Uma, Kid)).status).toBe(200)
      expect((await sendMessage(Uma, Kid)).status).toBe(200)
      expect(await overlap(db, 'follows', refuse, () => sendMessage(Uma, Kid))).toEqual([200, 403])
      expect(await countMessages(db)).toBe(1)
    })

    test('a follow that comes second is refused', async () => {
      const { db, Kid, Uma, refuse } = await openWithAllowedContact()
      expect(await overlap(db, 'follows', refuse, () => followAs(Uma, Kid))).toEqual([200, 403])
      expect(await isFollowing(db, Uma, Kid)).toBe(false)
    })
  })

  describe('a guardian is removed:', () => {
    /**
     * Starts a test app in which Uma has asked for contact with Kid. The returned function `allow` sends the
     * decision of Mum, and `remove` makes Dad the only guardian.
     */
    async function openWithRequest() {
      const scene = await guardianScene('postgres')
      const { Ada, Kid, Uma, Mum } = scene
      expect((await followAs(Uma, Kid)).status).toBe(403)
      const allow = () => decideContact(Mum, Kid, Uma, 'allowed')
      return { ...scene, allow, remove: () => asChild(Ada, Kid, ['dad']) }
    }

    test('the guardian who allows at this moment comes too late', async () => {
      const { db, Kid, Uma, Mum, Dad, allow, remove } = await openWithRequest()
      expect(await overlap(db, 'audit_log', remove, allow)).toEqual([200, 404])
      expect(await contactState(Dad, Kid, Uma)).toBe('requested')
      expect((await followAs(Uma, Kid)).status).toBe(403)
      expect((await Mum.get(`/api/guardian/children/${Kid.id}/contacts`)).status).toBe(404)
    })

    test('what the guardian allowed just before counts', async () => {
      const { db, Kid, Uma, Mum, Dad, allow, remove } = await openWithRequest()
      expect(await overlap(db, 'child_contacts', allow, remove)).toEqual([200, 200])
      expect(await contactState(Dad, Kid, Uma)).toBe('allowed')
      expect((await childContacts(Dad, Kid))[0].decided_by.id).toBe(Mum.id)
      expect((await Mum.get(`/api/guardian/children/${Kid.id}/contacts`)).status).toBe(404)
    })

    test('the own contact of the guardian, which begins just before, waits for the other one', async () => {
      const { db, Kid, Mum, Dad, remove } = await openWithRequest()
      expect(await overlap(db, 'notifications', () => followAs(Mum, Kid), remove)).toEqual([200, 200])
      expect(await isFollowing(db, Mum, Kid)).toBe(false)
      expect(await contactState(Dad, Kid, Mum)).toBe('requested')
    })

    test('the own contact of the guardian, which begins just after, is refused', async () => {
      const { db, Kid, Mum, Dad, remove } = await openWithRequest()
      expect(await overlap(db, 'audit_log', remove, () => followAs(Mum, Kid))).toEqual([200, 403])
      expect(await contactState(Dad, Kid, Mum)).toBe('requested')
    })
  })

  describe('the mark of the child ends:', () => {
    const endMark = (Ada: Actor, Kid: Actor) => Ada.delete(`/api/admin/users/${Kid.id}/child`)

    test('a contact that waits for the end of the transaction is allowed', async () => {
      const { db, Ada, Kid, Uma } = await guardianScene('postgres')
      expect((await followAs(Uma, Kid)).status).toBe(403)
      const statuses = await overlap(
        db,
        'audit_log',
        () => endMark(Ada, Kid),
        () => followAs(Uma, Kid),
      )
      expect(statuses).toEqual([200, 200])
      expect(await isFollowing(db, Uma, Kid)).toBe(true)
    })

    test('a request that is stored just before does no harm', async () => {
      const { db, Ada, Kid, Uma } = await guardianScene('postgres')
      const statuses = await overlap(
        db,
        'child_contacts',
        () => followAs(Uma, Kid),
        () => endMark(Ada, Kid),
      )
      expect(statuses).toEqual([403, 200])
      expect((await followAs(Uma, Kid)).status).toBe(200)
      expect((await sendMessage(Uma, Kid)).status).toBe(200)
    })

    test('a follow that begins just before a new mark of the account stays, and is allowed', async () => {
      const { db, Ada, Kid, Mum, Uma } = await guardianScene('postgres')
      const markAgain = () => asChild(Ada, Kid, ['mum', 'dad'])
      expect((await endMark(Ada, Kid)).status).toBe(200)
      expect(await overlap(db, 'notifications', () => followAs(Uma, Kid), markAgain)).toEqual([200, 200])
      expect(await contactState(Mum, Kid, Uma)).toBe('allowed')
      expect(await isFollowing(db, Uma, Kid)).toBe(true)
    })
  })

  describe('the last common group ends:', () => {
    async function openWithClub() {
      const scene = await guardianScene('postgres')
      const { Ada, Kid, Uma } = scene
      const club = await createClub(Ada, Kid, Uma)
      const endings = {
        removal: () => Ada.delete(`/api/groups/${club}/members/${Kid.id}`),
        leaving: () => Kid.post(`/api/groups/${club}/leave`),
        deletion: () => Ada.delete(`/api/groups/${club}`),
      }
      return { ...scene, endings }
    }

    test.each(['removal', 'leaving', 'deletion'] as const)(
      'a follow that begins just before the %s waits for a guardian',
      async (ending) => {
        const { db, Kid, Uma, Mum, endings } = await openWithClub()
        expect(await overlap(db, 'notifications', () => followAs(Uma, Kid), endings[ending])).toEqual([
          200, 200,
        ])
        expect(await isFollowing(db, Uma, Kid)).toBe(false)
        expect(await contactState(Mum, Kid, Uma)).toBe('requested')
        expect((await followAs(Kid, Uma)).status).toBe(403)
      },
    )

    test.each(['removal', 'leaving'] as const)(
      'a chat that begins just before the %s waits for a guardian',
      async (ending) => {
        const { db, Kid, Uma, Mum, endings } = await openWithClub()
        await followAs(Uma, Kid)
        expect(await overlap(db, 'messages', () => sendMessage(Uma, Kid), endings[ending])).toEqual([
          200, 200,
        ])
        expect(await contactState(Mum, Kid, Uma)).toBe('requested')
        expect((await sendMessage(Uma, Kid)).status).toBe(403)
      },
    )

    test.each(['removal', 'leaving', 'deletion'] as const)(
      'a follow that begins just after the %s is refused',
      async (ending) => {
        const { db, Kid, Uma, Mum, endings } = await openWithClub()
        expect(await overlap(db, 'child_notices', endings[ending], () => followAs(Uma, Kid))).toEqual([
          200, 403,
        ])
        expect(await isFollowing(db, Uma, Kid)).toBe(false)
        expect(await contactState(Mum, Kid, Uma)).toBe('requested')
      },
    )
  })
})

import { sql } from 'kysely'
import { afterEach, describe, expect, inject, test, vi } from 'vitest'
import { MAX_RESULT_AGE } from '#core/database/cache.ts'
import { transaction } from '#core/database/transaction.ts'
import { eventually } from '#tests/eventually.ts'
import { openAnother, openProcesses, runStatements, startProcess } from '#tests/table-version-processes.ts'

afterEach(() => vi.restoreAllMocks())

describe.runIf(inject('postgres'))('a query cache of one of several processes', () => {
  test('keeps results until any process changes a table that they depend on', async () => {
    const { processes, fake } = await openProcesses(2)
    const [here, there] = processes
    const birds = here.countRowsOf('birds', 'birds')
    const newBirds = here.countRowsOf('birds', 'insert into birds')
    const read = async () => [await birds.read(), await newBirds.read(), birds.queries, newBirds.queries]
    expect(await read()).toEqual([1, 1, 1, 1])
    expect(await read()).toEqual([1, 1, 1, 1])
    await there.write(`insert into fish values ('cod')`)
    expect(await read()).toEqual([1, 1, 1, 1])
    await there.write(`update birds set name = 'crow'`)
    expect(await read()).toEqual([1, 1, 2, 1])
    await here.write(`insert into birds values (2, 'owl')`)
    expect(await read()).toEqual([2, 2, 3, 2])
    expect(here.counts).toEqual({ hits: 5, misses: 5, unusable: 0 })
    const { calls } = fake.state
    await Promise.all([birds.read(), newBirds.read(), birds.read()])
    expect(fake.state.calls, 'the reads of one turn share a call').toBe(calls + 1)
  })

  test('is emptied by a cascade, and by a change of the schema', async () => {
    const { processes } = await openProcesses(2)
    const [here, there] = processes
    const eggs = here.countRowsOf('eggs', 'delete from eggs')
    await there.write('insert into eggs values (1)')
    expect(await eggs.read()).toBe(1)
    await there.write('delete from birds')
    expect(await eggs.read()).toBe(0)
    await there.write('create table newts (id bigint)')
    await eggs.read()
    expect(eggs.queries).toBe(3)
  })

  test('follows foreign keys that a process adds which starts later', async () => {
    const { processes, databases, fake } = await openProcesses(2)
    const [here] = processes
    // Adds the foreign key through a connection whose changes are not tracked, as a migration does.
    const [plain] = await openAnother(databases)
    await runStatements(plain, 'create table nests (bird_id bigint references birds (id) on delete cascade)')
    await runStatements(plain, 'insert into nests values (1)')
    const later = await startProcess(plain, fake)
    const nests = later.countRowsOf('nests', 'nests')
    expect(await nests.read()).toBe(1)
    await here.write('delete from birds')
    expect(await nests.read()).toBe(0)
  })

  test('does not keep a result that was read before a change', async () => {
    const { processes } = await openProcesses(2)
    const [here, there] = processes
    const cache = here.cacheOf('fish')
    const slow = cache('count', async () => {
      await there.write(`insert into fish values ('cod')`)
      return 0
    })
    expect(await slow).toBe(0)
    expect(await cache('count', async () => 1)).toBe(1)
  })

  test('tries again after a failed read', async () => {
    const cache = (await openProcesses(1)).processes[0].cacheOf('fish')
    await expect(cache('count', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(await cache('count', async () => 9)).toBe(9)
  })

  test('keeps no result longer that was made from another cached result, although both have an age', async () => {
    const { processes, databases } = await openProcesses(2)
    const [here] = processes
    const [plain] = await openAnother(databases)
    const fish = here.countRowsOf('fish', 'fish')
    const outer = here.cacheOf('birds')
    const read = () => outer('sum', () => fish.read())
    expect(await fish.read()).toBe(0)
    await runStatements(plain, `insert into fish values ('cod')`)
    const now = performance.now()
    const clock = vi.spyOn(performance, 'now').mockReturnValue(now + MAX_RESULT_AGE - 1000)
    expect(await read(), 'the inner result is nine seconds old').toBe(0)
    clock.mockReturnValue(now + MAX_RESULT_AGE)
    expect(await read()).toBe(1)
  })

  test('keeps no result longer than the maximum age', async () => {
    const { processes, databases } = await openProcesses(2)
    const [here] = processes
    const [plain] = await openAnother(databases)
    const fish = here.countRowsOf('fish', 'fish')
    expect(await fish.read()).toBe(0)
    await runStatements(plain, `insert into fish values ('cod')`)
    const now = performance.now()
    const clock = vi.spyOn(performance, 'now').mockReturnValue(now + MAX_RESULT_AGE - 1000)
    expect(await fish.read(), 'nobody has said that the table changed').toBe(0)
    clock.mockReturnValue(now + MAX_RESULT_AGE)
    expect(await fish.read()).toBe(1)
  })
})

describe.runIf(inject('postgres'))('the changes of a transaction', () => {
  test('are in Redis before the callbacks after the commit run', async () => {
    const { processes, fake } = await openProcesses(1)
    const [{ db }] = processes
    let seen: string | undefined
    await transaction(db, async (tx) => {
      await sql`insert into fish values ('cod')`.execute(tx)
      tx.afterCommit(() => (seen = fake.versions.get('fish')))
      expect(fake.versions.has('fish')).toBe(false)
    })
    expect(seen).toBeDefined()
  })

  test('are sent when the answer to the commit is lost', async () => {
    const { processes, fake } = await openProcesses(1)
    const [{ db }] = processes
    const lost = transaction(db, async (tx) => {
      await sql`insert into fish values ('cod')`.execute(tx)
      // Ends the connection in the transaction, so that the process cannot know whether the commit succeeded.
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx).catch(() => {})
    })
    await expect(lost).rejects.toThrow()
    expect(fake.versions.has('fish')).toBe(true)
  })

  test('are sent later if Redis does not take them, and until then the process uses no cache', async () => {
    const { processes, fake } = await openProcesses(2)
    const [here, there] = processes
    const [mine, other] = [here.countRowsOf('fish', 'fish'), there.countRowsOf('fish', 'fish')]
    expect([await mine.read(), await other.read()]).toEqual([0, 0])
    fake.state.fails = true
    await here.write(`insert into fish values ('cod')`)
    expect(here.log.warn).toHaveBeenCalledOnce()
    expect([await mine.read(), await other.read()], 'neither can ask Redis').toEqual([1, 1])
    expect(here.counts).toEqual({ hits: 0, misses: 1, unusable: 1 })
    // This second write does not wait for Redis, and its changes are sent together with those of the first.
    await here.write(`insert into birds values (2, 'owl')`)
    fake.state.fails = false
    expect(await mine.read(), 'the process knows that it is behind').toBe(1)
    await eventually(async () => expect(await other.read()).toBe(1))
    await eventually(() => expect(fake.versions.has('insert into birds')).toBe(true))
    await eventually(async () => {
      const { queries } = mine
      await mine.read()
      expect(mine.queries).toBe(queries)
    })
  })

  test('are not lost when Redis loses its data', async () => {
    const { processes, fake } = await openProcesses(2)
    const [here, there] = processes
    const fish = here.countRowsOf('fish', 'fish')
    expect(await fish.read()).toBe(0)
    await there.write(`insert into fish values ('cod')`)
    fake.versions.clear()
    expect(await fish.read()).toBe(1)
  })

  test('are not lost when another Redis takes over that has older versions', async () => {
    const { processes, fake } = await openProcesses(2)
    const [here, there] = processes
    const fish = here.countRowsOf('fish', 'fish')
    expect(await fish.read()).toBe(0)
    const older = new Map(fake.versions)
    await there.write(`insert into fish values ('cod')`)
    for (const [name, version] of older) fake.versions.set(name, version)
    fake.loseConnections()
    expect(await fish.read()).toBe(1)
  })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cookies } from './client.ts'
import { benchFolder } from './community.ts'
import { startServer } from './processes.ts'
import { median, type Report, type Settings } from './report.ts'

const AIM = { most: 1.1 }
const SAMPLES = 20
/** In ms. The work that a request has caused, such as a job, ends before the next one is measured. */
const PAUSE = 15
const password = 'correct horse battery'
const passwords = { password, password_confirmation: password }

/** Prepares a request, and returns what sends it. Only the sending is measured. */
type Prepare = () => Promise<() => Promise<Response>>

interface Comparison {
  what: string
  /** The answers to a known and an unknown address. If they differ, the time tells nothing more. */
  statuses: readonly [number, number]
  known: Prepare
  unknown: Prepare
}

/**
 * Measures whether the time of an answer tells if an address has an account. Limits are off, and nothing
 * listens where mails go: a stranger would not see them.
 */
export async function measureEnumeration(report: Report, { rounds }: Settings) {
  const folder = mkdtempSync(join(benchFolder(), 'enumeration-'))
  const server = await startServer(folder, { SMTP_URL: 'smtp://127.0.0.1:1' })
  for (const { what, statuses, known, unknown } of await comparisons(server.url)) {
    const sides = [known, unknown] as const
    const times: [number[], number[]] = [[], []]
    for (let sample = 0; sample < rounds * SAMPLES; sample++)
      // The order changes, so that neither always follows the other.
      for (const side of sample % 2 ? ([0, 1] as const) : ([1, 0] as const)) {
        const send = await sides[side]()
        await sleep(PAUSE)
        const start = performance.now()
        const { status } = await send()
        times[side].push(performance.now() - start)
        if (status !== statuses[side]) report.error(`${what} was answered with ${status}`)
      }
    const [first, second] = [median(times[0]), median(times[1])]
    report.add({
      ...{ what, ours: Math.max(first, second), theirs: Math.min(first, second), unit: 'ms' },
      beside: first < second ? 'a known address' : 'an unknown address',
      ...(statuses[0] === statuses[1] && { aim: AIM }),
    })
  }
  await server.stop()
  rmSync(folder, { recursive: true })
}

async function comparisons(url: string): Promise<Comparison[]> {
  const stranger = await browser(url)
  const send = (path: string, body: object) => async () => () => stranger(path, body)
  const [known, unknown] = ['known@engawa.example', 'unknown@engawa.example']
  await register(url, 'known')
  let registered = 0
  return [
    {
      what: 'log-in with a wrong password',
      statuses: [422, 422],
      known: send('/login', { email: known, password: 'wrong' }),
      unknown: send('/login', { email: unknown, password: 'wrong' }),
    },
    {
      what: 'request of a link for a new password',
      statuses: [200, 200],
      known: send('/forgot-password', { email: known }),
      unknown: send('/forgot-password', { email: unknown }),
    },
    {
      what: 'reset with a wrong code',
      statuses: [422, 422],
      known: send('/reset-password', { email: known, code: '0000-0000-0000', ...passwords }),
      unknown: send('/reset-password', { email: unknown, code: '0000-0000-0000', ...passwords }),
    },
    {
      what: 'registration',
      statuses: [422, 200],
      known: send('/api/register', { name: 'Known', email: known, ...passwords }),
      unknown: () =>
        send('/api/register', { name: 'New', email: `new${registered++}@engawa.example`, ...passwords })(),
    },
    {
      what: 'another mail of a verification, beyond and below the limit',
      statuses: [200, 200],
      known: verification(url, 'beyond', { before: 9, samples: 20 }),
      unknown: verification(url, 'below', { before: 0, samples: 9 }),
    },
  ]
}

/**
 * Asks for another verification mail, after `before` mails to the same address. An address gets ten a day,
 * and nobody may learn from the time that it gets no more. A member may ask thirty times a day, so another
 * one asks after some samples.
 */
function verification(url: string, name: string, { before, samples }: { before: number; samples: number }) {
  let ask = async () => new Response()
  let asked = samples
  let members = 0
  const prepare: Prepare = async () => {
    if (asked++ === samples) {
      asked = 1
      const post = await register(url, `${name}${members++}`)
      ask = () => post('/api/email/verification-notification')
      for (let n = 0; n < before; n++) await ask()
    }
    return ask
  }
  return prepare
}

async function register(url: string, name: string) {
  const post = await browser(url)
  const answer = await post('/api/register', { name, email: `${name}@engawa.example`, ...passwords })
  if (answer.status !== 200) throw new Error(`The registration was answered with ${answer.status}`)
  return post
}

/** Keeps the cookies of answers. */
async function browser(url: string) {
  const jar = new Map(
    (await cookies(url)).cookie.split('; ').map((cookie) => [cookie.split('=')[0]!, cookie]),
  )
  return async (path: string, body: object = {}) => {
    const token = decodeURIComponent(jar.get('XSRF-TOKEN')!.slice('XSRF-TOKEN='.length))
    const headers = {
      cookie: [...jar.values()].join('; '),
      ...{ 'x-xsrf-token': token, 'content-type': 'application/json' },
    }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    for (const cookie of answer.headers.getSetCookie()) jar.set(cookie.split('=')[0]!, cookie.split(';')[0]!)
    return answer
  }
}

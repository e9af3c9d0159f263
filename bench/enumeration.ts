import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fetchBenchCookiesAndXsrfToken } from './client.ts'
import { ensureBenchRootFolder } from './community.ts'
import { BENCH_PASSWORD, type BenchMemberClient, registerBenchMemberAndCreateClient } from './members.ts'
import { startBenchServer } from './processes.ts'
import { type BenchReportPrinter, type BenchSettings, computeMedian } from './report.ts'

/** The target for the ratio of the slower median response time to the faster one. */
const AIM = { most: 1.1 }
const SAMPLES_PER_ROUND = 20
/**
 * The pause in milliseconds before each measured request. During the pause, the work that the request before
 * has caused, such as a job, ends, so that this work does not slow down the measured request.
 */
const PAUSE = 15

/**
 * Prepares a request, and returns the function that sends the request. The bench measures the time from the
 * call of this function to the response.
 */
type Prepare = () => Promise<() => Promise<Response>>

interface Comparison {
  what: string
  /**
   * The statuses of the responses for a known and for an unknown email address. If they differ, the ratio of
   * the times has no target, because the status reveals the same.
   */
  statuses: readonly [number, number]
  known: Prepare
  unknown: Prepare
}

/**
 * Measures whether the time of a response reveals if an email address has an account: requests for known and
 * unknown addresses take turns. Rate limits are off, because they would end the measurement. Nothing listens
 * at the port in SMTP_URL, because the mails themselves are not measured: a stranger would not see them.
 */
export async function compareAndReportTimesForKnownAndUnknownEmails(
  report: BenchReportPrinter,
  { rounds }: BenchSettings,
) {
  const folder = mkdtempSync(join(ensureBenchRootFolder(), 'enumeration-'))
  const server = await startBenchServer(folder, { SMTP_URL: 'smtp://127.0.0.1:1' })
  for (const comparison of await createComparisons(server.url)) {
    const times: [number[], number[]] = [[], []]
    for (let sample = 0; sample < rounds * SAMPLES_PER_ROUND; sample++) {
      // Swaps the order of the two requests in each sample, so that neither always follows the other.
      for (const side of sample % 2 ? ([0, 1] as const) : ([1, 0] as const)) {
        const send = await comparison[side ? 'unknown' : 'known']()
        await sleep(PAUSE)
        const start = performance.now()
        const { status } = await send()
        times[side].push(performance.now() - start)
        if (status !== comparison.statuses[side])
          report.error(`${comparison.what} was answered with ${status}`)
      }
    }
    const [known, unknown] = times.map(computeMedian) as [number, number]
    const [ours, theirs] = [Math.max(known, unknown), Math.min(known, unknown)]
    const aim = comparison.statuses[0] === comparison.statuses[1] && { aim: AIM }
    const comparedWith = known < unknown ? 'a known address' : 'an unknown address'
    report.add({ what: comparison.what, ours, theirs, comparedWith, unit: 'ms', ...aim })
  }
  await server.stop()
  rmSync(folder, { recursive: true })
}

async function createComparisons(url: string): Promise<Comparison[]> {
  const who = await fetchBenchCookiesAndXsrfToken(url)
  const headers = { cookie: who.cookie, 'x-xsrf-token': who.token, 'content-type': 'application/json' }
  const send = (path: string, body: object) => async () => () =>
    fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  await registerBenchMemberAndCreateClient(url, 'Known')
  const [known, unknown] = ['known@engawa.example', 'unknown@engawa.example']
  const passwords = { password: BENCH_PASSWORD, password_confirmation: BENCH_PASSWORD }
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
      known: createResend(url, 'beyond', { before: 9, samples: 20 }),
      unknown: createResend(url, 'below', { before: 0, samples: 9 }),
    },
  ]
}

const resend = (member: BenchMemberClient) => member.post('/api/email/verification-notification')

/**
 * Returns a function that prepares requests for another verification mail, from members to whose address
 * `before` mails have been sent already. After ten mails a day, an address gets no more, and nobody may learn
 * that from the time of the response. After `samples` requests the function registers another member, because
 * a member may ask for thirty mails a day.
 */
function createResend(
  url: string,
  name: string,
  { before, samples }: { before: number; samples: number },
): Prepare {
  let member: BenchMemberClient | undefined
  let asked = samples
  let members = 0
  return async () => {
    if (asked === samples) {
      asked = 0
      member = await registerBenchMemberAndCreateClient(url, `${name}${members++}`)
      for (let n = 0; n < before; n++) await resend(member)
    }
    asked++
    return () => resend(member!)
  }
}

/** The password of all members that `registerBenchMemberAndCreateClient` registers. */
export const BENCH_PASSWORD = 'correct horse battery'

export type BenchMemberClient = Awaited<ReturnType<typeof registerBenchMemberAndCreateClient>>

/**
 * Registers a member with the email address `name@engawa.example`, in lower case. Returns the member's id and
 * cookies, and a function that sends POST requests as the member.
 */
export async function registerBenchMemberAndCreateClient(url: string, name: string) {
  const who = { cookie: '', token: '' }
  const jar = new Map<string, string>()
  const take = (answer: Response) => {
    for (const cookie of answer.headers.getSetCookie()) jar.set(cookie.split('=')[0]!, cookie.split(';')[0]!)
    who.cookie = [...jar.values()].join('; ')
    who.token = decodeURIComponent(jar.get('XSRF-TOKEN')!.slice('XSRF-TOKEN='.length))
    return answer
  }
  const post = async (path: string, body: object = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: { cookie: who.cookie, 'x-xsrf-token': who.token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  take(await fetch(`${url}/sanctum/csrf-cookie`))
  const password = BENCH_PASSWORD
  const email = `${name.toLowerCase()}@engawa.example`
  const answer = take(await post('/api/register', { name, email, password, password_confirmation: password }))
  if (answer.status !== 200) throw new Error(`Registration was answered with ${answer.status}`)
  const { user } = (await answer.json()) as { user: { id: number } }
  return { id: user.id, who, post }
}

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import pLimit from 'p-limit'
import sharp from 'sharp'
import { pages } from '#app.ts'
import { BadSetting } from '#core/config.ts'
import { cast, indexOf, password } from '#demo/cast.ts'
import { picturesFolder } from '#demo/pictures.ts'
import { explain } from '#main.ts'
import { ahead, endAll, startServer } from '#tests/server.ts'
import { chromiumArgs, findChromium } from '#tests/services.ts'

/** Follows nobody, and nobody has written to them. */
const newcomer = { name: 'Yui Ando', email: 'yui@engawa.example' }

type Who = 'visitor' | 'ben' | 'aya' | 'newcomer'
interface Shot {
  name: string
  path: string
  who: Who
  /** Done before the picture is taken. */
  act?: (page: Page) => Promise<unknown>
  /** The width from which there is such a thing. */
  from?: number
  /** The width up to which there is. */
  to?: number
  /** It ends the session, so it has one of its own. */
  ends?: true
}

const idOf = (who: string) => indexOf(who) + 1
/** Its id is known only once it was made. */
const group = { name: '陶芸クラブ', path: '/group-chat/:pottery' }

const press = (selector: string) => (page: Page) => page.locator(selector).first().click()
const openMenu = (selector: string) => async (page: Page) => {
  await press(selector)(page)
  await page.locator('.menu:popover-open').waitFor()
}
const demoPicture = (name: string) => join(picturesFolder, `${name}.webp`)
const pick = async (page: Page) => {
  const files = ['bread-5', 'kiln-0', 'bowls-5'].map(demoPicture)
  await page.locator('main input[type=file]').setInputFiles(files)
}
const openPicture = async (page: Page) => {
  await press('article .pictures button, article .pictures a')(page)
  await page.locator('dialog:modal img').first().waitFor()
}
const pickOne = async (page: Page) => {
  await page.locator('main input[type=file]').setInputFiles(demoPicture('bread-5'))
  await page.locator('dialog:modal').waitFor()
}
const firstRowMenu = openMenu('main button[popovertarget]')
const secondRowMenu = openMenu('main tbody tr:nth-child(2) button[popovertarget]')
const askToDelete = async (page: Page) => {
  await firstRowMenu(page)
  await press('.menu:popover-open .danger')(page)
}
const overLast = async (page: Page) => {
  const last = page.locator('.said-line').last()
  await last.hover()
  await last.locator('button[popovertarget]').click()
  await page.locator('.menu:popover-open').waitFor()
}

const openLegend = async (page: Page) => {
  await page.keyboard.press('?')
  await page.locator('dialog:modal').waitFor()
}

/** Every screenshot. Each page of app.ts has at least one; a page without one is reported before the run begins. */
const shots: readonly Shot[] = [
  { name: 'visitor', path: '/', who: 'visitor' },
  { name: 'visitor-menu', path: '/', who: 'visitor', act: openMenu('.ways button'), from: 720 },
  { name: 'visitor-asked', path: '/followingpostlist', who: 'visitor' },
  { name: 'register', path: '/register', who: 'visitor' },
  { name: 'register-failed', path: '/register', who: 'visitor', act: press('main form button[type=submit]') },
  { name: 'login', path: '/login', who: 'visitor' },
  {
    name: 'login-failed',
    path: '/login',
    who: 'visitor',
    act: async (page) => {
      await page.locator('input[type=email]').fill('ben@engawa.example')
      await page.locator('input[type=password]').fill('not this one')
      await page.locator('main form button[type=submit]').click()
      await page.getByText('Login failed.').waitFor()
    },
  },
  { name: 'verify-failed', path: '/email/verify/1/x', who: 'visitor' },
  { name: 'not-found', path: '/nowhere', who: 'visitor' },

  { name: 'home', path: '/', who: 'ben' },
  { name: 'chat-menu', path: '/', who: 'ben', act: openMenu('.ways button[popovertarget]'), from: 720 },
  { name: 'profile-menu', path: '/', who: 'ben', act: openMenu('.bar .me') },
  { name: 'lightbox', path: '/', who: 'ben', act: openPicture },
  { name: 'postlist', path: '/postlist', who: 'ben' },
  { name: 'following', path: '/followingpostlist', who: 'ben' },
  { name: 'post', path: '/post', who: 'ben' },
  {
    name: 'post-filled',
    path: '/post',
    who: 'ben',
    act: async (page) => {
      await page
        .locator('main textarea')
        .fill('Three loaves, two bowls and a kiln that is still too hot to open.\nまだ熱いです。')
      await pick(page)
      await page.locator('.tiles img').nth(2).waitFor()
    },
  },
  {
    name: 'alt-text',
    path: '/post',
    who: 'ben',
    act: async (page) => {
      await pick(page)
      await page.locator('.tiles .say').first().click()
      await page.locator('dialog:modal').waitFor()
    },
  },
  { name: 'one-post', path: '/posts/100', who: 'ben' },
  { name: 'post-menu', path: '/', who: 'ben', act: openMenu('article .more') },
  { name: 'post-gone', path: '/posts/99999', who: 'ben' },
  { name: 'profile', path: `/people/${idOf('daniel')}`, who: 'ben' },
  { name: 'own-profile', path: `/people/${idOf('ben')}`, who: 'ben' },
  { name: 'legend', path: '/', who: 'ben', act: openLegend, from: 720 },
  { name: 'edit', path: '/edit', who: 'ben' },
  { name: 'crop', path: '/edit', who: 'ben', act: pickOne },
  { name: 'search', path: '/follow', who: 'ben' },
  {
    name: 'search-none',
    path: '/follow',
    who: 'ben',
    act: (page) => page.locator('main input[type=search]').fill('xyzzy'),
  },
  { name: 'users', path: '/users', who: 'ben' },
  { name: 'private-chat', path: `/privatechat/${idOf('tomas')}`, who: 'ben' },
  { name: 'private-chat-ja', path: `/privatechat/${idOf('nao')}`, who: 'aya' },
  { name: 'private-message-menu', path: `/privatechat/${idOf('daniel')}`, who: 'ben', act: overLast },
  { name: 'private-chat-shut', path: `/privatechat/${idOf('ranko')}`, who: 'ben' },
  { name: 'my-groups', path: '/my-groups', who: 'ben' },
  { name: 'group-chat', path: group.path, who: 'ben' },
  { name: 'group-menu', path: group.path, who: 'aya', act: openMenu('.thread .acts button') },
  {
    name: 'group-members',
    path: group.path,
    who: 'aya',
    act: async (page) => {
      await openMenu('.thread .acts button')(page)
      await press('.thread .menu:popover-open button')(page)
      await page.locator('dialog:modal .row').first().waitFor()
    },
  },
  {
    name: 'group-delete',
    path: group.path,
    who: 'aya',
    act: async (page) => {
      await openMenu('.thread .acts button')(page)
      await page.locator('.thread .menu:popover-open .danger').last().click()
      await page.locator('dialog:modal').waitFor()
    },
  },
  { name: 'chat', path: '/chat', who: 'ben' },
  { name: 'product', path: '/products/1', who: 'ben' },
  { name: 'product-2', path: '/products/2', who: 'visitor' },
  { name: 'cart', path: '/cart', who: 'ben' },
  { name: 'user', path: '/user', who: 'ben', act: press('main button') },
  { name: 'members-only', path: '/admin/dashboard', who: 'ben' },
  { name: 'logout', path: '/logout', who: 'ben', ends: true },

  { name: 'admin', path: '/admin/dashboard', who: 'aya' },
  { name: 'admin-delete', path: '/admin/dashboard', who: 'aya', act: askToDelete },
  { name: 'admin-create', path: '/admin/creategroup', who: 'aya' },
  {
    name: 'admin-chosen',
    path: '/admin/creategroup',
    who: 'aya',
    act: async (page) => {
      await page
        .locator('main input[type=text], main input:not([type])')
        .first()
        .fill('夜の散歩 / Night walks')
      for (const at of [1, 3, 4])
        await page.locator('main input[type=checkbox]').nth(at).check({ force: true })
    },
  },
  { name: 'admin-users', path: '/admin/users', who: 'aya' },
  { name: 'admin-user-menu', path: '/admin/users', who: 'aya', act: secondRowMenu },

  { name: 'newcomer', path: '/', who: 'newcomer' },
  { name: 'newcomer-following', path: '/followingpostlist', who: 'newcomer' },
  { name: 'newcomer-dashboard', path: '/dashboard', who: 'newcomer' },
  { name: 'newcomer-users', path: '/users', who: 'newcomer' },
  { name: 'newcomer-groups', path: '/my-groups', who: 'newcomer' },
]

const sizes = { 390: 844, 820: 1180, 1440: 900 } as const
const themes = ['light', 'dark'] as const
const langs = ['en', 'ja'] as const
interface Look {
  width: keyof typeof sizes
  theme: (typeof themes)[number]
  lang: (typeof langs)[number]
  /** Pixels of the picture for one of the page. */
  scale?: number
}
const looks: Look[] = [390, 820, 1440].flatMap((width) =>
  themes.flatMap((theme) => langs.map((lang) => ({ width: width as Look['width'], theme, lang }))),
)

const forReadme: { file: string; shot: string; look: Look }[] = [
  { file: 'home', shot: 'home', look: { width: 1440, theme: 'light', lang: 'en' } },
  { file: 'chat', shot: 'private-chat-ja', look: { width: 390, theme: 'dark', lang: 'ja', scale: 2 } },
]

const docs = join(import.meta.dirname, '../docs')
const folder = join(import.meta.dirname, '../shots')
const fileOf = (name: string, { width, theme, lang }: Look) => `${name}-${width}-${theme}-${lang}`

const matches = (pattern: string, path: string) =>
  new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path)
const withoutPicture = () => pages.filter((page) => !shots.some(({ path }) => matches(page.path, path)))

interface Session {
  browser: Browser
  url: string
  /** What the pages' clocks show, so that all pictures of a run are of the same moment. */
  now: Date
  /** The id of `group`. */
  pottery: number
  /** The cookies of everybody who is logged in. */
  cookies: ReadonlyMap<Who, Cookies>
}
type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>

/** The cookies of somebody who is logged in. */
export async function logIn(
  { browser, url }: Pick<Session, 'browser' | 'url'>,
  who: Who,
  isNew = false,
): Promise<Cookies> {
  const context = await browser.newContext({ baseURL: url })
  await context.request.get('/sanctum/csrf-cookie')
  const token = (await context.cookies()).find(({ name }) => name === 'XSRF-TOKEN')!.value
  const { name, email } = who === 'newcomer' ? newcomer : cast[indexOf(who)]!
  const answer = await context.request.post(isNew ? '/api/register' : '/login', {
    data: { email, password, ...(isNew && { name, password_confirmation: password }) },
    headers: { accept: 'application/json', 'x-xsrf-token': decodeURIComponent(token) },
  })
  if (!answer.ok()) throw new Error(`${name} could not log in: ${answer.status()} ${await answer.text()}`)
  const cookies = await context.cookies()
  await context.close()
  return cookies
}

/** A window as somebody has it. */
async function windowOf(
  { browser, url, now, cookies }: Session,
  who: Who,
  { width, theme, lang, scale = 1 }: Look,
) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height: sizes[width] },
    deviceScaleFactor: scale,
    isMobile: width === 390,
    hasTouch: width === 390,
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: lang === 'ja' ? 'ja-JP' : 'en-GB',
    timezoneId: 'Asia/Tokyo',
  })
  await context.addCookies(cookies.get(who) ?? [])
  await context.clock.setFixedTime(now)
  // What was looked at for one picture is still unread in the next.
  await context.route(/\/api\/(conversations|groups)\/\d+\/read$/, () => {})
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  return { page, ...lineOf(page), close: () => context.close() }
}

/** `quiet` resolves once everything that a page subscribed to has answered, and nothing has come for a moment. */
function lineOf(page: Page) {
  const fresh = () => ({ open: false, asked: 0, given: 0, last: Date.now() })
  let line = fresh()
  page.on('websocket', (socket) => {
    line = fresh()
    const mine = line
    socket.on('framesent', ({ payload }) => {
      mine.last = Date.now()
      if (payload.includes('"pusher:subscribe"')) mine.asked++
    })
    socket.on('framereceived', ({ payload }) => {
      mine.last = Date.now()
      if (payload.includes('pusher:connection_established')) mine.open = true
      if (/subscription_(succeeded|error)/.test(`${payload}`)) mine.given++
    })
  })
  return {
    forget: () => (line = fresh()),
    async quiet() {
      const patience = Date.now() + 8_000
      while (
        Date.now() < patience &&
        !(line.open && line.given >= line.asked && Date.now() - line.last > 150)
      )
        await page.waitForTimeout(25)
    },
  }
}

const settled = (page: Page) =>
  page.evaluate(async () => {
    await document.fonts.ready
    for (let i = 0; i < 100 && document.querySelector('.bones, .loading, main [aria-busy=true]'); i++)
      await new Promise((resolve) => setTimeout(resolve, 50))
    const near = [...document.images].filter((image) => {
      const { top, bottom } = image.getBoundingClientRect()
      return bottom > 0 && top < innerHeight
    })
    await Promise.all(near.map((image) => image.decode().catch(() => {})))
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })

type Keep = (shot: Shot, bytes: Buffer) => unknown

async function take(session: Session, chosen: readonly Shot[], look: Look, full: boolean, keep: Keep) {
  const windows = new Map<Who, Awaited<ReturnType<typeof windowOf>>>()
  const faults: string[] = []
  for (const shot of chosen) {
    const { name, path, who, act, from = 0, to = Number.POSITIVE_INFINITY, ends } = shot
    if (look.width < from || look.width > to) continue
    const own = ends ? new Map([[who, await logIn(session, who)]]) : null
    const window = own
      ? await windowOf({ ...session, cookies: own }, who, look)
      : (windows.get(who) ?? (await windowOf(session, who, look)))
    if (!own) windows.set(who, window)
    const { page, forget, quiet } = window
    try {
      forget()
      await page.goto(path.replace(':pottery', `${session.pottery}`))
      await page.locator('h1').first().waitFor()
      await quiet()
      await act?.(page)
      await settled(page)
      await keep(shot, await page.screenshot({ fullPage: full, animations: 'disabled', caret: 'hide' }))
    } catch (error) {
      faults.push(`${fileOf(name, look)}: ${(error as Error).message.split('\n')[0]}`)
    }
    if (own) await window.close()
    // What was typed or picked is not there in the next picture.
    else if (act) await page.evaluate(() => localStorage.clear())
  }
  for (const { close } of windows.values()) await close()
  return faults
}

const CELL = { 390: 260, 820: 400, 1440: 480 }
const COLUMNS = { 390: 9, 820: 6, 1440: 5 }
const LABEL = 22
const GAP = 10

/** All pictures of a look side by side, with their names, as many as there are in the folder. */
async function laySheet(look: Look) {
  const there = new Set(readdirSync(folder))
  const names = shots.map(({ name }) => name).filter((name) => there.has(`${fileOf(name, look)}.png`))
  const width = CELL[look.width]
  const height = Math.round((width * sizes[look.width]) / look.width)
  const columns = Math.min(COLUMNS[look.width], names.length)
  const rows = Math.ceil(names.length / columns)
  const cells = await Promise.all(
    names.map(async (name, i) => {
      const left = GAP + (i % columns) * (width + GAP)
      const top = GAP + Math.floor(i / columns) * (height + LABEL + GAP)
      const label = Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${LABEL}"><text x="2" y="15" font-family="sans-serif" font-size="13" fill="#222">${name}</text></svg>`,
      )
      const shown = await sharp(join(folder, `${fileOf(name, look)}.png`))
        .resize(width, height, { fit: 'cover', position: 'top' })
        .png()
        .toBuffer()
      return [
        { input: label, left, top },
        { input: shown, left, top: top + LABEL },
      ]
    }),
  )
  const size = { width: GAP + columns * (width + GAP), height: GAP + rows * (height + LABEL + GAP) }
  await sharp({ create: { ...size, channels: 3, background: '#b9b9b9' } })
    .composite(cells.flat())
    .webp({ quality: 82 })
    .toFile(join(folder, `${fileOf('sheet', look)}.webp`))
}

async function findGroup(browser: Browser, url: string, cookies: Cookies) {
  const context = await browser.newContext({ baseURL: url })
  await context.addCookies(cookies)
  const groups = (await (await context.request.get('/api/my-groups')).json()) as {
    id: number
    name: string
  }[]
  await context.close()
  const found = groups.find(({ name }) => name === group.name)
  if (!found) throw new Error(`The demo has no group ${group.name}.`)
  return found.id
}

/** The demo says of everything how long ago it was, as seen at nine in the evening (in Tokyo): so it is nine. */
function untilNine() {
  const nine = new Date().setUTCHours(12, 0, 0, 0)
  return (nine < Date.now() ? nine + 24 * 3600_000 : nine) - Date.now()
}

async function withDemo<T>(work: (session: Session) => Promise<T>) {
  const executablePath = findChromium()
  if (!executablePath) throw new BadSetting('There is no Chromium: install one, or set CHROMIUM_PATH.')
  console.log('Filling the demo community …')
  const early = untilNine()
  const { url } = await startServer({ ...ahead(early), RATE_LIMIT: 'off', LOG_LEVEL: 'warn' }, 'bin/demo.ts')
  const browser = await chromium.launch({ executablePath, args: chromiumArgs })
  try {
    const cookies = new Map<Who, Cookies>()
    for (const who of ['ben', 'aya', 'newcomer'] as const)
      cookies.set(who, await logIn({ browser, url }, who, who === 'newcomer'))
    const session: Session = {
      browser,
      url,
      now: new Date(Date.now() + early),
      cookies,
      pottery: await findGroup(browser, url, cookies.get('aya')!),
    }
    // They sit there all the while, so that whoever else comes and goes the same people are here.
    for (const who of ['ben', 'aya', 'newcomer'] as const) {
      const { page, quiet } = await windowOf(session, who, { width: 820, theme: 'light', lang: 'en' })
      await page.goto('/edit')
      await quiet()
    }
    return await work(session)
  } finally {
    await browser.close()
    await endAll()
  }
}

const usage = `Usage: npm run shots -- [name …] [--width 390|820|1440] [--theme light|dark] [--lang en|ja] [--full]
       npm run shots -- readme
Names: ${shots.map(({ name }) => name).join(' ')}`

function readArguments() {
  const options = {
    width: { type: 'string' },
    theme: { type: 'string' },
    lang: { type: 'string' },
    full: { type: 'boolean' },
  } as const
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    const fits = ({ width, theme, lang }: Look) =>
      (values.width ?? `${width}`) === `${width}` &&
      (values.theme ?? theme) === theme &&
      (values.lang ?? lang) === lang
    const readme = positionals[0] === 'readme' && positionals.length === 1
    const unknown = readme ? undefined : positionals.find((name) => !shots.some((shot) => shot.name === name))
    if (unknown) throw new Error(`There is no picture called ${unknown}.`)
    const chosen = shots.filter(({ name }) => !positionals.length || positionals.includes(name))
    const wanted = looks.filter(fits)
    if (!wanted.length) throw new Error('There is no such width, theme or language.')
    return { readme, chosen, wanted, full: values.full ?? false }
  } catch (error) {
    throw new BadSetting(`${(error as Error).message}\n${usage}`)
  }
}

async function main() {
  const { readme, chosen, wanted, full } = readArguments()
  const missing = withoutPicture().map(({ path }) => path)
  if (missing.length)
    throw new BadSetting(`bin/shots.ts has no picture of ${missing.join(', ')}: add a line to its table.`)
  const faults = await withDemo(async (session) => {
    if (readme) return takeForReadme(session)
    mkdirSync(folder, { recursive: true })
    const limit = pLimit(2)
    const taken = wanted.map((look) =>
      limit(async () => {
        const failed = await take(session, chosen, look, full, ({ name }, bytes) =>
          writeFileSync(join(folder, `${fileOf(name, look)}.png`), bytes),
        )
        await laySheet(look)
        console.log(`shots/${fileOf('sheet', look)}.webp`)
        return failed
      }),
    )
    return (await Promise.all(taken)).flat()
  })
  for (const fault of faults) console.error(fault)
  if (faults.length) process.exitCode = 1
}

async function takeForReadme(session: Session) {
  const faults: string[] = []
  for (const { file, shot, look } of forReadme) {
    const only = shots.filter(({ name }) => name === shot)
    const failed = await take(session, only, look, false, async (_, bytes) => {
      const { size } = await sharp(bytes)
        .webp({ quality: 84 })
        .toFile(join(docs, `${file}.webp`))
      console.log(`docs/${file}.webp, ${size.toLocaleString('en')} bytes`)
    })
    faults.push(...failed)
  }
  return faults
}

if (import.meta.main)
  try {
    await main()
  } catch (error) {
    explain(error)
  }

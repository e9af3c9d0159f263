import type { APIRequestContext, BrowserContext, CDPSession, Locator, Page, Route } from '@playwright/test'
import { pages } from '#app.ts'
import {
  test as base,
  call,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  picture,
  register,
  tooWide,
  violationsOn,
} from './fixture.ts'

type Who = 'visitor' | 'ann' | 'ben' | 'newcomer'
interface Town {
  origin: string
  ids: Record<Exclude<Who, 'visitor'>, number>
  group: number
  cookies: ReadonlyMap<Who, Awaited<ReturnType<BrowserContext['cookies']>>>
}

/** A small community, made once a worker: long names, both languages, a picture, a group, a talk. */
const test = base.extend<{ protocol: CDPSession }, { town: Town }>({
  protocol: async ({ page }, use) => use(await page.context().newCDPSession(page)),
  town: [
    async ({ browser, server, grantAdmin }, use) => {
      const moveIn = async (name: string, who: string) => {
        const page = await (await browser.newContext({ baseURL: server.url })).newPage()
        return { page, id: await register(page, name, `${who}.${crypto.randomUUID()}@engawa.example`) }
      }
      const ann = await moveIn('森田 あや', 'ann')
      const ben = await moveIn('Wolfeschlegelsteinhausenbergerdorffson', 'ben')
      const newcomer = await moveIn('Yui', 'yui')
      await grantAdmin(ann.id)
      for (const [from, to] of [
        [ann, ben],
        [ben, ann],
      ] as const) {
        await call(from.page, 'POST', `/api/follow/${to.id}`)
        for (const input of [
          '縁側でお茶を飲んでいたら、猫が来ました。',
          `Rindfleisch${'x'.repeat(120)} https://kiln.example/rota`,
          '🙌🏽',
        ])
          await call(from.page, 'POST', '/api/send-private-message', { input, targetUserId: to.id })
        await call(from.page, 'POST', '/api/posts', {
          text: `Line\n${'A line of its own. '.repeat(12)}\n露野の朝。`,
        })
      }
      await postPicture(ann.page.request, ann.page)
      const made = await call(ann.page, 'POST', '/api/groups', { name: '陶芸クラブ' })
      const group = made.group.id as number
      await call(ann.page, 'POST', `/api/groups/${group}/add-user`, { user_id: ben.id })
      for (const { page } of [ann, ben])
        await call(page, 'POST', '/api/group-messages/send', { group_id: group, message: 'Kiln at 840' })
      const cookies: Town['cookies'] = new Map(
        await Promise.all(
          Object.entries({ ann, ben, newcomer }).map(
            async ([who, { page }]) => [who as Who, await page.context().cookies()] as const,
          ),
        ),
      )
      for (const { page } of [ann, ben, newcomer]) await page.context().close()
      await use({
        origin: server.url,
        ids: { ann: ann.id, ben: ben.id, newcomer: newcomer.id },
        group,
        cookies,
      })
    },
    { scope: 'worker' },
  ],
})

test.describe.configure({ mode: 'parallel' })

async function postPicture(request: APIRequestContext, page: Page) {
  const token = (await page.context().cookies()).find(({ name }) => name === 'XSRF-TOKEN')!.value
  const answer = await request.post('/api/posts', {
    multipart: { text: 'The river', 'images[]': await picture('river'), 'alt[]': 'The river, rising' },
    headers: { 'x-xsrf-token': decodeURIComponent(token), accept: 'application/json' },
  })
  expect(answer.ok(), await answer.text()).toBe(true)
}

interface Scene {
  name: string
  path: string
  who: Who
  /** Of the calls that the page then has to make itself. */
  answers?: 'held' | 'failed' | 'empty'
  act?: (page: Page) => Promise<unknown>
  /** The widths in which there is such a thing. */
  only?: 390 | 1440
}

const press = (selector: string) => async (page: Page) => {
  await page.locator(selector).first().click()
  await expect(page.locator('.menu:popover-open, dialog:modal').first()).toBeVisible()
}
const inTurn =
  (...steps: ((page: Page) => Promise<unknown>)[]) =>
  async (page: Page) => {
    for (const step of steps) await step(page)
  }
const submit = (page: Page) => page.locator('main form button[type=submit]').click()
const pick = async (page: Page) =>
  page
    .locator('main input[type=file]')
    .first()
    .setInputFiles([await picture('river')])
const menuIn = (place: string) => press(`${place} button[popovertarget]`)
const inMenu = (item: string) => async (page: Page) => {
  await page.locator(`.menu:popover-open ${item}`).click()
  await expect(page.locator('dialog:modal')).toBeVisible()
}
const ownMenu = async (page: Page) => {
  const more = page.locator('.said-line > .acts > button[popovertarget]').last()
  await more.focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('.menu:popover-open')).toBeVisible()
}

const scenes: readonly Scene[] = [
  { name: 'posts, for visitors', path: '/', who: 'visitor' },
  { name: 'the visitors’ menu', path: '/', who: 'visitor', act: press('.ways button'), only: 1440 },
  { name: 'a page for members', path: '/followingpostlist', who: 'visitor' },
  { name: 'registering', path: '/register', who: 'visitor' },
  { name: 'setting up what is set up', path: '/setup?code=wrong', who: 'visitor' },
  {
    name: 'registering, refused',
    path: '/register',
    who: 'visitor',
    act: inTurn(submit, (page) => invalid(page).first().waitFor()),
  },
  { name: 'logging in', path: '/login', who: 'visitor' },
  {
    name: 'logging in, refused',
    path: '/login',
    who: 'visitor',
    act: async (page) => {
      await page.locator('input[type=email]').fill('nobody@engawa.example')
      await page.locator('input[type=password]').fill('nothing')
      await submit(page)
      await expect(page.getByText('Login failed.')).toBeVisible()
    },
  },
  { name: 'a link that was tampered with', path: '/email/verify/1/x', who: 'visitor' },
  { name: 'a link that is being looked at', path: '/email/verify/1/x', who: 'visitor', answers: 'held' },
  { name: 'an address that is not there', path: '/nowhere', who: 'visitor' },

  { name: 'posts', path: '/', who: 'ben' },
  { name: 'posts, waiting', path: '/', who: 'ben', answers: 'held' },
  { name: 'posts, failed', path: '/', who: 'ben', answers: 'failed' },
  { name: 'posts, none', path: '/', who: 'ben', answers: 'empty' },
  { name: 'posts by their other address', path: '/postlist', who: 'ben' },
  { name: 'the menu of chats', path: '/', who: 'ben', act: menuIn('.ways'), only: 1440 },
  { name: 'the menu of the profile', path: '/', who: 'ben', act: press('.bar .me') },
  {
    name: 'a picture, large',
    path: '/',
    who: 'ben',
    act: press('article .pictures button, article .pictures a'),
  },
  { name: 'posts of the followed', path: '/followingpostlist', who: 'ben' },
  { name: 'posts of the followed, none', path: '/followingpostlist', who: 'newcomer' },
  { name: 'posts of the followed, failed', path: '/followingpostlist', who: 'ben', answers: 'failed' },
  { name: 'a post’s menu', path: '/', who: 'ann', act: press('article .more') },
  { name: 'deleting a post', path: '/', who: 'ann', act: inTurn(press('article .more'), inMenu('.danger')) },
  { name: 'a post by itself', path: '/posts/1', who: 'visitor' },
  { name: 'a post by itself, waiting', path: '/posts/1', who: 'ben', answers: 'held' },
  { name: 'a post by itself, failed', path: '/posts/1', who: 'ben', answers: 'failed' },
  { name: 'a post that is not there', path: '/posts/999999', who: 'ben' },
  { name: 'a member', path: '/people/:ann', who: 'ben' },
  { name: 'a member, waiting', path: '/people/:ann', who: 'ben', answers: 'held' },
  { name: 'a member, failed', path: '/people/:ann', who: 'ben', answers: 'failed' },
  { name: 'a member who is not there', path: '/people/999999', who: 'ben' },
  { name: 'one’s own page', path: '/people/:ann', who: 'ann' },
  {
    name: 'the legend of keys',
    path: '/',
    who: 'ben',
    act: inTurn(
      (page) => page.keyboard.press('?'),
      (page) => page.locator('dialog:modal').waitFor(),
    ),
    only: 1440,
  },
  { name: 'writing', path: '/post', who: 'newcomer' },
  {
    name: 'writing, with a picture',
    path: '/post',
    who: 'newcomer',
    act: inTurn(pick, (page) => page.locator('.tile').waitFor()),
  },
  {
    name: 'describing a picture',
    path: '/post',
    who: 'newcomer',
    act: inTurn(pick, press('.tile .describe-button')),
  },
  {
    name: 'posting without a description',
    path: '/post',
    who: 'newcomer',
    act: inTurn(pick, press('main form button[type=submit]')),
  },
  {
    name: 'posting, failed',
    path: '/post',
    who: 'ben',
    act: async (page) => {
      await page.route('**/api/posts', fail)
      await page.locator('main textarea').fill('Never mind')
      await submit(page)
      await expect(page.locator('.not-posted')).toBeVisible()
    },
  },
  { name: 'the profile', path: '/edit', who: 'ben' },
  { name: 'the profile, failed', path: '/edit', who: 'ben', answers: 'failed' },
  {
    name: 'cutting a picture',
    path: '/edit',
    who: 'ben',
    act: inTurn(pick, (page) => page.locator('dialog:modal').waitFor()),
  },
  { name: 'searching', path: '/follow', who: 'ben' },
  { name: 'searching, waiting', path: '/follow', who: 'ben', answers: 'held' },
  { name: 'searching, failed', path: '/follow', who: 'ben', answers: 'failed' },
  {
    name: 'searching, nobody',
    path: '/follow',
    who: 'ben',
    act: async (page) => {
      await page.locator('main input[type=search]').fill('xyzzy')
      await page.locator('main .empty').waitFor()
    },
  },
  { name: 'chats', path: '/users', who: 'ben' },
  { name: 'chats, none', path: '/users', who: 'newcomer' },
  { name: 'chats, waiting', path: '/users', who: 'ben', answers: 'held' },
  { name: 'chats, failed', path: '/users', who: 'ben', answers: 'failed' },
  { name: 'a chat', path: '/privatechat/:ann', who: 'ben' },
  { name: 'a chat, waiting', path: '/privatechat/:ann', who: 'ben', answers: 'held' },
  { name: 'a chat, failed', path: '/privatechat/:ann', who: 'ben', answers: 'failed' },
  { name: 'a chat that is not open', path: '/privatechat/:ann', who: 'newcomer' },
  { name: 'a chat with nobody', path: '/privatechat/999999', who: 'ben' },
  { name: 'a message’s menu', path: '/privatechat/:ann', who: 'ben', act: ownMenu },
  {
    name: 'deleting a message',
    path: '/privatechat/:ann',
    who: 'ben',
    act: inTurn(ownMenu, inMenu('.danger')),
  },
  {
    name: 'a message that was not sent',
    path: '/privatechat/:ann',
    who: 'ben',
    act: async (page) => {
      await page.route('**/api/send-private-message', fail)
      await page.locator('.message-box textarea').fill('Never mind')
      await page.locator('.message-box textarea').press('Control+Enter')
      await page.locator('[data-failed]').waitFor()
    },
  },
  { name: 'groups', path: '/my-groups', who: 'ben' },
  { name: 'groups, none', path: '/my-groups', who: 'newcomer' },
  { name: 'groups, failed', path: '/my-groups', who: 'ben', answers: 'failed' },
  { name: 'a group', path: '/group-chat/:group', who: 'ben' },
  { name: 'a group, waiting', path: '/group-chat/:group', who: 'ben', answers: 'held' },
  { name: 'a group, failed', path: '/group-chat/:group', who: 'ben', answers: 'failed' },
  { name: 'a group’s menu', path: '/group-chat/:group', who: 'ann', act: menuIn('.thread .sill') },
  {
    name: 'a group’s members',
    path: '/group-chat/:group',
    who: 'ann',
    act: inTurn(menuIn('.thread .sill'), inMenu('button >> nth=0')),
  },
  {
    name: 'adding people',
    path: '/group-chat/:group',
    who: 'ann',
    act: inTurn(menuIn('.thread .sill'), inMenu('button >> nth=1')),
  },
  {
    name: 'renaming a group',
    path: '/group-chat/:group',
    who: 'ann',
    act: inTurn(menuIn('.thread .sill'), inMenu('button >> nth=2')),
  },
  {
    name: 'deleting a group',
    path: '/group-chat/:group',
    who: 'ann',
    act: inTurn(menuIn('.thread .sill'), inMenu('.danger >> nth=1')),
  },
  { name: 'a group of others', path: '/group-chat/999999', who: 'ben' },
  { name: 'the public chat', path: '/chat', who: 'ben' },
  { name: 'a product', path: '/products/1', who: 'visitor' },
  { name: 'a product, waiting', path: '/products/1', who: 'ben', answers: 'held' },
  { name: 'a product, failed', path: '/products/1', who: 'ben', answers: 'failed' },
  { name: 'a product that is not there', path: '/products/999999', who: 'ben' },
  { name: 'the cart', path: '/cart', who: 'ben' },
  { name: 'the cart, waiting', path: '/cart', who: 'ben', answers: 'held' },
  { name: 'the cart, failed', path: '/cart', who: 'ben', answers: 'failed' },
  {
    name: 'the test button',
    path: '/user',
    who: 'ben',
    act: (page) => page.locator('main button').first().click(),
  },

  { name: 'the dashboard', path: '/admin/dashboard', who: 'ann' },
  { name: 'the dashboard, waiting', path: '/admin/dashboard', who: 'ann', answers: 'held' },
  { name: 'the dashboard, failed', path: '/admin/dashboard', who: 'ann', answers: 'failed' },
  { name: 'the dashboard, for others', path: '/admin/dashboard', who: 'ben' },
  {
    name: 'the dashboard’s question',
    path: '/admin/dashboard',
    who: 'ann',
    act: inTurn(menuIn('main'), inMenu('.danger')),
  },
  { name: 'making a group', path: '/admin/creategroup', who: 'ann' },
  { name: 'making a group, failed', path: '/admin/creategroup', who: 'ann', answers: 'failed' },
  {
    name: 'making a group, chosen',
    path: '/admin/creategroup',
    who: 'ann',
    act: async (page) => {
      await page.locator('main label.check').first().click()
      await expect(page.locator('main input[type=checkbox]').first()).toBeChecked()
    },
  },
  { name: 'all users', path: '/admin/users', who: 'ann' },
  { name: 'all users, failed', path: '/admin/users', who: 'ann', answers: 'failed' },
  { name: 'a user’s menu', path: '/admin/users', who: 'ann', act: menuIn('main tbody tr:has-text("Yui")') },
  {
    name: 'suspending',
    path: '/admin/users',
    who: 'ann',
    act: inTurn(menuIn('main tbody tr:has-text("Yui")'), inMenu('.danger')),
  },
  { name: 'an address not confirmed', path: '/dashboard', who: 'newcomer' },
]

const invalid = (page: Page): Locator => page.locator('[aria-invalid=true]')
const fail = (route: Route) => route.fulfill({ status: 500, json: { message: 'Server Error' } })

/** Logging out ends the session, which the others share, so it has a test of its own. */
const apart = ['/logout']

const matches = (pattern: string, path: string) =>
  new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path)

test('every page is seen', () => {
  const seen = [...scenes.map(({ path }) => path), ...apart]
  expect(
    pages.map(({ path }) => path).filter((pattern) => !seen.some((path) => matches(pattern, path))),
  ).toEqual([])
})

type Look = { lang: 'en' | 'ja'; colorScheme: 'light' | 'dark'; width: 390 | 1440 }
/** Two looks have both languages, both themes and both widths between them. Pages take turns at the two pairs; states of pages at the four looks. */
const pairs: readonly (readonly [Look, Look])[] = [
  [
    { lang: 'en', colorScheme: 'light', width: 1440 },
    { lang: 'ja', colorScheme: 'dark', width: 390 },
  ],
  [
    { lang: 'ja', colorScheme: 'light', width: 1440 },
    { lang: 'en', colorScheme: 'dark', width: 390 },
  ],
]
const settings = ({ lang, colorScheme, width }: Look) => ({
  locale: lang === 'ja' ? 'ja-JP' : 'en-GB',
  colorScheme,
  viewport: { width, height: 800 },
})

const looksOf = ({ act, answers, only }: Scene, i: number) => {
  if (!act && !answers) return pairs[i % 2]!
  const fitting = pairs.flat().filter(({ width }) => !only || only === width)
  return [fitting[i % fitting.length]!]
}

async function visit(
  page: Page,
  town: Town,
  { path, who, answers, act }: Pick<Scene, 'path' | 'who' | 'answers' | 'act'>,
) {
  await page.context().addCookies(town.cookies.get(who) ?? [])
  if (answers) await answerFor(page, answers)
  await page.goto(path.replace(':ann', `${town.ids.ann}`).replace(':group', `${town.group}`))
  if (answers === 'held') {
    await page
      .locator('main :is(.bones, .loading, [aria-busy=true], [role=status]):visible')
      .first()
      .waitFor()
    await appeared(page)
  } else {
    await page.locator('main :is(h1, h2):visible').first().waitFor()
    await expect(page.locator('main :is(.bones, .loading)')).toHaveCount(0)
  }
  await act?.(page)
}

/** What waits is invisible at first; what goes on and on is not waited for. */
const appeared = (page: Page) =>
  page.evaluate(async () => {
    const once = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
    await Promise.allSettled(once.map(({ finished }) => finished))
  })

/** The answers that travel inside a page are taken out, but who reads it; those of its calls are as told. */
async function answerFor(page: Page, answers: NonNullable<Scene['answers']>) {
  await page.route(
    (url) => !/^\/(api|assets|media|sanctum)\//.test(url.pathname),
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback()
      const response = await route.fetch()
      const body = (await response.text()).replace(
        /(<script type="application\/json" id="boot">)(.*?)(<\/script>)/s,
        (_, head, json, tail) => {
          const boot = JSON.parse(json)
          boot.first = boot.first.filter(({ url }: { url: string }) =>
            ['/api/user', '/api/unread'].includes(url),
          )
          return head + JSON.stringify(boot).replaceAll('<', '\\u003c') + tail
        },
      )
      return route.fulfill({ response, body })
    },
  )
  await page.route(/\/api\/(?!user$|unread$)/, (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    if (answers === 'failed') return fail(route)
    if (answers === 'empty') return route.fulfill({ json: [] })
  })
}

interface Sight {
  page: Page
  town: Town
  protocol: CDPSession
}

/** One page sees some scenes one after another: it is beginning anew that takes time. */
async function inEach(
  { page, town, protocol }: Sight,
  some: readonly Scene[],
  check: (scene: Scene) => Promise<unknown>,
  text = 1,
) {
  test.setTimeout(60_000 + some.length * 15_000)
  for (const scene of some)
    await test.step(scene.name, async () => {
      // An answer that is still on its way to the page before would bring a visitor's session.
      await page.goto('about:blank')
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      // Cookies, drafts, and what could not be sent.
      await protocol.send('Storage.clearDataForOrigin', { origin: town.origin, storageTypes: 'all' })
      // What waits breathes, and would be measured at any of its brightnesses.
      await page.emulateMedia({
        forcedColors: null,
        reducedMotion: scene.answers === 'held' ? 'reduce' : null,
      })
      await setText(protocol, text)
      await visit(page, town, scene)
      await check(scene)
    })
}

/** So many times the size of text, as a reader sets it for all pages. */
const setText = (protocol: CDPSession, times: number) =>
  protocol.send('Page.setFontSizes', { fontSizes: { standard: 16 * times, fixed: 13 * times } })

const inParts = <T>(all: readonly T[], most: number) => {
  const count = Math.ceil(all.length / most)
  return Array.from({ length: count }, (_, which) => all.filter((_, i) => i % count === which))
}
const MOST = 10

for (const look of pairs.flat())
  test.describe(`${look.lang}, ${look.colorScheme}, ${look.width} px`, () => {
    test.use(settings(look))
    const seen = scenes.filter((scene, i) => looksOf(scene, i).includes(look))
    for (const [at, part] of inParts(seen, MOST).entries())
      test(`no rule of accessibility is broken, nothing is too wide or moves against one’s will, ${at + 1}`, async ({
        page,
        town,
        protocol,
      }) => {
        await inEach({ page, town, protocol }, part, async (scene) => {
          expect.soft(await violationsOn(page), scene.name).toEqual([])
          expect.soft(await tooWide(page), `${scene.name}: pixels too wide`).toBeLessThanOrEqual(0)
          if (isLively(scene)) await expectStill(page, scene)
          if (!isPlain(scene)) return
          if (look.width === 390) {
            await setText(protocol, 2)
            await expectLargeTextFits(page, scene)
          } else await expectSystemColours(page, scene)
        })
      })
  })

for (const look of pairs[1]!)
  test.describe(`logged out: ${look.lang}, ${look.colorScheme}, ${look.width} px`, () => {
    test.use(settings(look))
    test('no rule of accessibility is broken', async ({ member }) => {
      const { page } = await member('Ann', { lang: look.lang })
      await page.emulateMedia({ colorScheme: look.colorScheme })
      await page.setViewportSize({ width: look.width, height: 800 })
      await page.goto('/logout')
      await expect(page.getByText('Log out successful.')).toBeVisible()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    })
  })

/** A page as it is. */
const isPlain = ({ answers, act }: Scene) => !answers && !act
const isLively = ({ answers, act }: Scene) => answers === 'held' || act !== undefined

/** axe measures the colours of the style sheet, and not those that the system puts in their place. */
async function expectSystemColours(page: Page, { name }: Scene) {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  expect
    .soft(await violationsOn(page, { without: ['color-contrast'] }), `${name}, in the colours of the system`)
    .toEqual([])
}

async function expectStill(page: Page, { name }: Scene) {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const moves = (await moving(page)).filter((what) => !mayMove.test(what))
  expect.soft(moves, `${name}, where less motion is wanted`).toEqual([])
}

async function expectLargeTextFits(page: Page, { name }: Scene) {
  await expect
    .poll(() => page.evaluate(() => getComputedStyle(document.documentElement).fontSize))
    .toBe('32px')
  expect
    .soft(await tooWide(page), `${name}, at twice the size of text: pixels too wide`)
    .toBeLessThanOrEqual(0)
  expect.soft(await cutOff(page), `${name}, at twice the size of text`).toEqual([])
}

/** What still moves, or would on the next change, longer than a hundredth of a second. */
const moving = (page: Page) =>
  page.evaluate(() => {
    const long = (times: string) =>
      times.split(',').some((time) => Number.parseFloat(time) * (time.includes('ms') ? 0.001 : 1) > 0.01)
    const found = new Set<string>()
    for (const element of document.querySelectorAll('body, body *'))
      for (const pseudo of [null, '::before', '::after', '::backdrop']) {
        const style = getComputedStyle(element, pseudo)
        const name = `${element.localName}.${(element.getAttribute('class') ?? '').replaceAll(' ', '.')}${pseudo ?? ''}`
        if (style.animationName !== 'none' && long(style.animationDuration))
          found.add(`${name} animation ${style.animationName}`)
        if (long(style.transitionDuration))
          found.add(`${name} transition ${style.transitionProperty} ${style.transitionDuration}`)
      }
    return [...found]
  })
/** A circle that turns becomes two steps that take turns: without it nobody would see that something is under way. */
const mayMove = /^\S*\.spin\b\S* animation breathe$/

/** Words of a button that stand out of it, or out of the window. */
const cutOff = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = []
    for (const button of document.querySelectorAll('button, .button')) {
      if (!button.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      const walker = document.createTreeWalker(button, NodeFilter.SHOW_TEXT)
      const box = button.getBoundingClientRect()
      while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement!
        if (parent.closest('.hide, svg') || !walker.currentNode.textContent!.trim()) continue
        const range = document.createRange()
        range.selectNodeContents(walker.currentNode)
        const text = range.getBoundingClientRect()
        if (!text.width) continue
        const hides =
          getComputedStyle(parent).overflowX !== 'visible' && parent.scrollWidth > parent.clientWidth + 1
        const out =
          text.left < box.left - 1 ||
          text.right > box.right + 1 ||
          text.top < box.top - 2 ||
          text.bottom > box.bottom + 2
        if (hides || out || text.right > innerWidth + 1 || text.left < -1)
          found.push(
            `${button.className || button.localName}: “${walker.currentNode.textContent}” ${JSON.stringify([text.left, text.right, box.left, box.right].map(Math.round))}`,
          )
      }
    }
    return found
  })

// Opened in the size that it is looked at in: where a menu stands is settled when it opens.
const opened = scenes.filter(({ act, only }) => act && only !== 1440)
for (const [at, part] of inParts(opened, MOST).entries())
  test.describe(`twice the size of text, ${at + 1}`, () => {
    test.use({ viewport: { width: 390, height: 800 }, locale: at % 2 ? 'ja-JP' : 'en-GB' })
    test('nothing that is opened is cut off', async ({ page, town, protocol }) => {
      await inEach({ page, town, protocol }, part, (scene) => expectLargeTextFits(page, scene), 2)
    })
  })

interface Shift {
  value: number
  hadRecentInput: boolean
  sources: { node: Element | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
}
for (const width of [390, 1440])
  for (const { name, path, who } of [
    { name: 'posts', path: '/', who: 'ben' },
    { name: 'posts, for visitors', path: '/', who: 'visitor' },
    { name: 'a chat', path: '/privatechat/:ann', who: 'ben' },
    { name: 'searching', path: '/follow', who: 'ben' },
  ] as const)
    test(`${name}: nothing shifts while it loads slowly, ${width} px`, async ({ page, town }) => {
      await page.setViewportSize({ width, height: 800 })
      await page.addInitScript(() => {
        const shifts: string[] = []
        let sum = 0
        const words = ({ x, y, width, height }: DOMRectReadOnly) =>
          [x, y, width, height].map(Math.round).join(' ')
        Object.assign(globalThis, { shifted: () => ({ sum, shifts }) })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as unknown as Shift[]) {
            if (entry.hadRecentInput) continue
            sum += entry.value
            for (const { node, previousRect, currentRect } of entry.sources)
              shifts.push(
                `${node?.nodeName} ${node?.className} ${words(previousRect)} → ${words(currentRect)}`,
              )
          }
        }).observe({ type: 'layout-shift', buffered: true })
      })
      await page.route(/\.(js|css)$|\/media\/|\/api\//, async (route) => {
        await new Promise((resolve) =>
          setTimeout(resolve, route.request().url().includes('/media/') ? 500 : 150),
        )
        await route.continue().catch(() => {})
      })
      await visit(page, town, { path, who })
      await page.waitForLoadState('networkidle')
      await page.evaluate(() =>
        Promise.all([...document.images].map((image) => image.decode().catch(() => {}))),
      )
      const { sum, shifts } = await page.evaluate(() =>
        (globalThis as unknown as { shifted(): { sum: number; shifts: string[] } }).shifted(),
      )
      expect(sum, shifts.join('\n')).toBeLessThan(0.01)
    })

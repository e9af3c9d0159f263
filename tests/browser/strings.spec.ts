import type { Locator, Page } from '@playwright/test'
import { call, expect, type Member, password, picture, test, write } from './fixture.ts'

const languages = ['en', 'ja'] as const
type Lang = (typeof languages)[number]
const inLanguage = (lang: Lang) => ({ locale: lang === 'ja' ? 'ja-JP' : 'en-GB' })

/** A text that stays what it is; who reads in another language has it once more beneath. */
async function expectFixed(where: Locator, reader: Lang, text: string, also: string, lang: Lang = 'en') {
  if (reader === lang) return expect(where).toContainText(text)
  await expect(where.locator(`[lang=${lang}]`)).toHaveText(text)
  await expect(where.locator(`small[lang=${reader}]`)).toHaveText(also)
}

/** Holds calls back until they are let go. */
async function held(page: Page, url: string) {
  let letGo = () => {}
  const free = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(url, async (route) => {
    await free
    await route.continue()
  })
  return () => letGo()
}

/** Stops the page's clock, from here on to be moved by hand. */
async function stopClock(page: Page) {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
}

/** Moves the stopped clock by single milliseconds until the text is there: what began with it has just begun. */
const stepTo = (page: Page, text: Locator) =>
  expect(async () => {
    await page.clock.runFor(1)
    await expect(text).toBeVisible({ timeout: 50 })
  }).toPass({ intervals: [1] })

/** The text stands for a second, then the page moves home. */
async function expectHomeAfterOneSecond(page: Page, text: Locator) {
  await stepTo(page, text)
  const { pathname, search } = new URL(page.url())
  await page.clock.runFor(990)
  await expect(text).toBeVisible()
  await expect(page).toHaveURL(pathname + search)
  await page.clock.runFor(20)
  await expect(page).toHaveURL('/')
  await page.clock.resume()
  await expect(text).toHaveCount(0)
}

/** Calls of the page from now on, in their order. */
function watchCalls(page: Page, which: RegExp) {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (which.test(pathname)) calls.push(`${request.method()} ${pathname}`)
  })
  return calls
}

async function send(
  page: Page,
  path: string,
  file: Awaited<ReturnType<typeof picture>>,
  name: string,
  fields: Record<string, string> = {},
) {
  const token = (await page.context().cookies()).find((cookie) => cookie.name === 'XSRF-TOKEN')!.value
  const headers = { 'x-xsrf-token': decodeURIComponent(token) }
  const answer = await page.request.post(path, { headers, multipart: { ...fields, [name]: file } })
  expect(answer.ok(), await answer.text()).toBe(true)
  return answer.json()
}

const good = (page: Page) => page.locator('.said.good')
const bad = (page: Page) => page.locator('.said.bad')
const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
const waiting = { en: 'Loading...', ja: '読み込み中…' }
const follow = (who: Member, whom: Member) => call(who.page, 'POST', `/api/follow/${whom.id}`)

async function expectPulsing(text: Locator) {
  await expect(text).toBeVisible()
  const [name, count] = await text.evaluate((element) => {
    const { animationName, animationIterationCount } = getComputedStyle(element)
    return [animationName, animationIterationCount]
  })
  expect(name).toContain('pulse')
  expect(count).toContain('infinite')
}

for (const lang of languages)
  test.describe(`in ${lang}`, () => {
    test.use(inLanguage(lang))
    const en = lang === 'en'

    test('every page has its title', async ({ admin, page }) => {
      const titles = [
        ['/register', 'Sign Up', '新規登録'],
        ['/login', 'Log in', 'ログイン'],
        ['/', 'Post List', 'みんなの投稿'],
        ['/postlist', 'Post List', 'みんなの投稿'],
        ['/followingpostlist', '投稿一覧', '投稿一覧'],
        ['/post', 'New Post', '新しい投稿'],
        ['/edit', 'Edit Profile', 'プロフィール編集'],
        ['/follow', 'Search Users', 'ユーザー検索'],
        ['/users', 'Direct Message', '個別チャット'],
        ['/my-groups', 'Your Groups', 'グループ'],
        ['/admin/creategroup', 'Create Group', 'グループ作成'],
        ['/chat', 'Chat', '公開チャット'],
      ] as const
      const { page: members } = await admin('Ann', { lang })
      for (const [path, english, japanese] of titles) {
        const shown = path === '/register' || path === '/login' ? page : members
        const title = en ? english : japanese
        await shown.goto(path)
        await expect(shown.getByRole('heading', { level: 1 })).toHaveText(new RegExp(`^${title}`))
        await expect(shown).toHaveTitle(new RegExp(`^${title} – `))
      }
    })

    test('every form has its fields and its button', async ({ member, page }) => {
      const register = en
        ? ['User name', 'Email address', 'Password', 'Register']
        : ['ユーザー名', 'メールアドレス', 'パスワード', '登録する']
      await page.goto('/register')
      for (const label of register.slice(0, 3)) await expect(page.getByLabel(label)).toBeEditable()
      await expect(page.getByRole('button', { name: register[3]!, exact: true })).toBeEnabled()
      await page.goto('/login')
      for (const label of register.slice(1, 3)) await expect(page.getByLabel(label)).toBeEditable()
      await expect(
        page.getByRole('main').getByRole('button', { name: en ? 'Log in' : 'ログイン', exact: true }),
      ).toBeEnabled()

      const [ann, ben] = [await member('Ann', { lang }), await member('Ben', { lang })]
      await follow(ann, ben)
      await ann.page.goto('/edit')
      await expect(ann.page.locator('.sill .face')).toBeVisible()
      await expect(ann.page.locator('input[type=file]')).toHaveAttribute('accept', 'image/*')
      for (const label of en ? ['Name', 'Bio'] : ['名前', '自己紹介'])
        await expect(ann.page.getByLabel(label)).toBeEditable()
      for (const name of en ? ['Upload', 'Save'] : ['アップロード', '保存'])
        await expect(ann.page.getByRole('button', { name, exact: true })).toBeEnabled()
      await ann.page.goto('/post')
      await expect(ann.page.getByLabel(en ? 'Text of the post' : '投稿の本文')).toBeEditable()
      await expect(
        ann.page.getByRole('button', { name: en ? 'Post' : '投稿する', exact: true }),
      ).toBeVisible()
      await ann.page.goto('/follow')
      await expect(ann.page.getByPlaceholder(en ? 'Search by Username' : 'ユーザー名で検索')).toBeEditable()
      await ann.page.goto(`/privatechat/${ben.id}`)
      await expect(ann.page.getByPlaceholder(en ? 'Enter your message' : 'メッセージを入力')).toBeEditable()
      await expect(ann.page.getByRole('button', { name: en ? 'Send' : '送信', exact: true })).toBeVisible()
    })

    test('a log-in says so, and goes home after a second', async ({ member, page }) => {
      const { email } = await member('Ann')
      await page.clock.install()
      await page.goto('/login')
      const fields = page.getByRole('main').locator('input')
      await fields.first().fill(email)
      await fields.last().fill('wrong')
      await fields.last().press('Enter')
      await expectFixed(bad(page), lang, 'Login failed.', 'ログインできませんでした。')
      await expect(page).toHaveURL('/login')
      await fields.last().fill(password)
      await stopClock(page)
      await fields.last().press('Enter')
      await stepTo(page, good(page))
      await expectFixed(good(page), lang, 'Log in successful.', 'ログインしました。')
      await expectHomeAfterOneSecond(page, good(page))
    })

    test('a log-out says so, with a way to the top, and the next one fails', async ({ member }) => {
      const { page } = await member('Ann', { lang })
      const top = page.getByRole('main').getByRole('link', { name: en ? 'Top' : 'トップ', exact: true })
      const letGo = await held(page, '**/logout')
      await page.goto('/')
      await page.locator('.bar .me').click()
      await page.locator('.menu:popover-open a[href="/logout"]').click()
      await expectPulsing(page.getByText(waiting[lang]))
      letGo()
      await expectFixed(good(page), lang, 'Log out successful.', 'ログアウトしました。')
      await expect(top).toHaveAttribute('href', '/')
      expect((await page.request.get('/api/user')).status()).toBe(401)
      await page.reload()
      await expectFixed(bad(page), lang, 'Logout failed.', 'ログアウトできませんでした。')
      await expect(top).toHaveAttribute('href', '/')
    })

    test('a link is verified with its whole query, says so, and goes home after a second', async ({
      admin,
      page,
    }) => {
      const ann = await admin('Ann')
      const { link } = await (
        await ann.page.request.get(`/api/admin/users/${ann.id}/verification-link`)
      ).json()
      const { pathname, search } = new URL(link)
      const letGo = await held(page, '**/api/email/verify/**')
      const asked = page.waitForRequest('**/api/email/verify/**')
      await page.clock.install()
      await page.goto(`${pathname}${search}&from=mail`)
      const address = new URL((await asked).url())
      expect(address.pathname).toBe(`/api${pathname}`)
      expect(Object.fromEntries(address.searchParams)).toEqual({
        ...Object.fromEntries(new URLSearchParams(search)),
        from: 'mail',
      })
      await expectPulsing(page.locator('.loading'))
      await expectFixed(page.locator('.loading'), lang, 'Verifying...', '確認しています…')
      await stopClock(page)
      letGo()
      const said = page.getByText(
        en ? 'Your email address has been verified.' : 'メールアドレスを確認しました。',
      )
      await expectHomeAfterOneSecond(page, said)
    })

    test('/dashboard verifies likewise: one’s own address, or a failure', async ({ admin }) => {
      const ann = await admin('Ann', { lang })
      const { page } = ann
      await page.goto('/dashboard')
      await expectFixed(bad(page), lang, 'Authentication failed.', '確認できませんでした。')
      const { link } = await (await page.request.get(`/api/admin/users/${ann.id}/verification-link`)).json()
      expect((await page.request.get(link.replace('/email/', '/api/email/'))).status()).toBe(200)
      const letGo = await held(page, '**/api/user')
      await page.clock.install()
      await page.goto('/dashboard')
      await expectFixed(page.locator('.loading'), lang, 'Verifying...', '確認しています…')
      await stopClock(page)
      letGo()
      await expectHomeAfterOneSecond(
        page,
        page.getByText(en ? 'Your email address is verified.' : 'メールアドレスは確認済みです。'),
      )
    })

    test('a link that is wrong says so, and stays', async ({ page }) => {
      await page.clock.install()
      await page.goto('/email/verify/1/abc?expires=1&signature=2')
      await expectFixed(bad(page), lang, 'Authentication failed.', '確認できませんでした。')
      await page.clock.runFor(5000)
      await expectFixed(bad(page), lang, 'Authentication failed.', '確認できませんでした。')
      await expect(page).toHaveURL('/email/verify/1/abc?expires=1&signature=2')
    })

    test('every page for members alerts a visitor: Please log in.', async ({ page }) => {
      for (const path of [
        '/followingpostlist',
        '/post',
        '/edit',
        '/follow',
        '/users',
        '/my-groups',
        '/privatechat/1',
        '/group-chat/1',
      ])
        await test.step(path, async () => {
          await page.goto(path)
          await expectFixed(
            page.getByRole('alert').locator('.toast'),
            lang,
            'Please log in.',
            'ログインしてください。',
          )
        })
    })

    test('what was saved is alerted', async ({ member }) => {
      const { page } = await member('Ann', { lang })
      await page.goto('/edit')
      await page.getByRole('button', { name: en ? 'Save' : '保存', exact: true }).click()
      await expectFixed(
        alert(page, 'Profile').locator('.toast'),
        lang,
        'Profile updated successfully!',
        'プロフィールを更新しました。',
      )
      await page.goto('/post')
      await page.getByRole('main').locator('textarea').fill('Rain, then sun.')
      await page.getByRole('button', { name: en ? 'Post' : '投稿する', exact: true }).click()
      await expectFixed(
        alert(page, 'Post').locator('.toast'),
        lang,
        'Post submitted successfully.',
        '投稿しました。',
      )
    })

    test('empty lists of chats say so, with curly apostrophes', async ({ member }) => {
      const { page } = await member('Ann', { lang })
      await page.goto('/users')
      await expectFixed(
        page.locator('.list .empty'),
        lang,
        'You’re not following anyone yet.',
        'まだ誰もフォローしていません。',
      )
      await page.goto('/my-groups')
      await expectFixed(
        page.locator('.list .empty'),
        lang,
        'You haven’t joined any groups yet.',
        'まだどのグループにも入っていません。',
      )
    })

    test('the pages of chats say when nobody can say who is logged in', async ({ page }) => {
      await page.route('**/api/user', (route) =>
        route.fulfill({ status: 500, json: { message: 'Server Error' } }),
      )
      for (const path of ['/users', '/privatechat/1', '/my-groups', '/group-chat/1'])
        await test.step(path, async () => {
          await page.goto(path)
          const text = 'Failed to retrieve the logged-in user.'
          await expectFixed(
            page.locator('main .empty'),
            lang,
            text,
            'ログイン中のユーザーを取得できませんでした。',
          )
          await expect(alert(page, 'Please log in.')).toHaveCount(0)
        })
    })

    test('a group that was created is named, with how many were added; one that was not is alerted', async ({
      admin,
      member,
    }) => {
      const { page } = await admin('Ann', { lang })
      const ben = await member('Ben of the group')
      await page.goto('/admin/creategroup')
      const create = page.getByRole('button', { name: en ? 'Create group' : 'グループを作成', exact: true })
      await page.route(
        '**/api/groups',
        (route) => route.fulfill({ status: 500, json: { message: 'Server Error' } }),
        { times: 1 },
      )
      await page.getByRole('textbox', { name: en ? 'Group name' : 'グループ名' }).fill('Kiln')
      await create.click()
      await expectFixed(
        alert(page, '失敗しました').locator('.toast'),
        lang,
        '失敗しました',
        'The group was not created.',
        'ja',
      )
      await page.getByPlaceholder(en ? 'Search by Username' : 'ユーザー名で検索').fill(ben.name)
      await page.getByRole('checkbox', { name: ben.name }).first().check()
      await create.click()
      await expect(good(page)).toHaveText(
        en
          ? 'The group “Kiln” was created, and 1 user was added.'
          : 'グループ「Kiln」を作成し、1人を追加しました。',
      )
    })

    test('a page that waits says so, pulsing, until it has what it shows', async ({ admin, member }) => {
      const [ann, ben] = [await admin('Ann', { lang }), await member('Ben')]
      await follow(ann, ben)
      const { group } = await call(ann.page, 'POST', '/api/groups', { name: 'Kiln' })
      const { page } = ann
      const loading = page.getByText(waiting[lang], { exact: true })
      const come = async (from: string, to: string, url: string, then: Locator) => {
        await page.goto(from)
        const letGo = await held(page, url)
        await page.locator(`a[href="${to}"]`).first().dispatchEvent('click')
        await expectPulsing(loading)
        await expect(then).toHaveCount(0)
        letGo()
        await expect(then).toBeVisible()
        await expect(loading).toHaveCount(0)
        await page.unrouteAll()
      }
      await page.goto('/')
      await page.locator('.bar .me').hover()
      const box = page.getByPlaceholder(en ? 'Enter your message' : 'メッセージを入力')
      await come('/users', `/privatechat/${ben.id}`, '**/api/messages/*', box)
      await come('/my-groups', `/group-chat/${group.id}`, '**/api/group-messages/*', box)
      await page.setViewportSize({ width: 390, height: 800 })
      await come('/', '/edit', '**/api/profile', page.getByLabel(en ? 'Bio' : '自己紹介'))
    })

    test('a post says in English how long ago it was written', async ({ member }) => {
      const { page } = await member('Ann', { lang })
      const { post } = await write(page, 'Lanterns')
      const [minute, hour] = [60_000, 3_600_000]
      for (const [gone, words] of [
        [0, 'just now'],
        [minute, '1 minute ago'],
        [59 * minute, '59 minutes ago'],
        [hour, '1 hour ago'],
        [3 * hour, '3 hours ago'],
        [24 * hour, 'yesterday'],
        [3 * 24 * hour, '3 days ago'],
        [61 * 24 * hour, '2 months ago'],
        [800 * 24 * hour, '2 years ago'],
      ] as const) {
        await page.clock.setFixedTime(new Date(post.created_at).getTime() + gone)
        await page.goto('/')
        await expect(page.locator(`[data-post="${post.id}"] time`)).toHaveText(words)
      }
    })
  })

test('what a page says of a time stays right while it is open, and the date stands behind it', async ({
  member,
}) => {
  const { page } = await member('Ann')
  const { post } = await write(page, 'Lanterns')
  await page.clock.install({ time: new Date(post.created_at) })
  await page.goto('/')
  const time = page.locator(`[data-post="${post.id}"] time`)
  await expect(time).toHaveText('just now')
  await expect(time).toHaveAttribute('title', new RegExp(`${new Date(post.created_at).getFullYear()}`))
  await page.clock.runFor(61_000)
  await expect(time).toHaveText('1 minute ago')
  await page.clock.runFor(120_000)
  await expect(time).toHaveText('3 minutes ago')
})

test('a private channel is asked for after the token’s cookie', async ({ member }) => {
  const { page } = await member('Ann')
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/csrf-cookie|my-broadcast-auth/.test(pathname)) calls.push(pathname)
  })
  await page.goto('/')
  await expect.poll(() => calls.length).toBeGreaterThan(1)
  expect(calls.slice(0, 2)).toEqual(['/sanctum/csrf-cookie', '/my-broadcast-auth'])
})

test('a post shows its author’s image and name, its body and images, a heart and how many like it', async ({
  member,
}) => {
  const [ann, ben] = [await member('Ann'), await member('Ben')]
  await send(ann.page, '/api/profile-image', await picture('face'), 'image')
  const { post } = await send(ann.page, '/api/posts', await picture('river'), 'images[]', {
    text: 'The river today',
  })
  await call(ann.page, 'PUT', `/api/posts/${post.id}/like`)
  await follow(ben, ann)
  for (const path of ['/', '/postlist', '/followingpostlist']) {
    await ben.page.goto(path)
    const card = ben.page.locator(`[data-post="${post.id}"]`)
    await expect(card.locator('.by img')).toHaveAttribute('src', /^\/media\//)
    await expect(card.locator('.by .name')).toHaveText('Ann')
    await expect(card).toContainText('The river today')
    await expect(card.locator('.pane img')).toHaveCount(1)
    await expect(card.locator('time')).toHaveText('just now')
    const like = card.getByRole('button', { name: /^Like/ })
    await expect(like.locator('.count')).toHaveText('1')
    await expect(like).toHaveAttribute('aria-pressed', 'false')
    await expect(like.locator('.full')).toHaveCSS('clip-path', 'inset(100% 0px 0px)')
    await like.click()
    await expect(like.locator('.count')).toHaveText('2')
    await expect(like.locator('.full')).toHaveCSS('clip-path', 'inset(-10% 0px 0px)')
    const undone = ben.page.waitForResponse(
      (answer) => answer.request().method() === 'DELETE' && answer.url().endsWith('/like'),
    )
    await like.click()
    await expect(like.locator('.full')).toHaveCSS('clip-path', 'inset(100% 0px 0px)')
    await undone
  }
})

test('a like is told to the server, then the list is fetched again', async ({ member }) => {
  const [ann, ben] = [await member('Ann'), await member('Ben')]
  const [one, two] = [(await write(ann.page, 'one')).post, (await write(ann.page, 'two')).post]
  const { page } = ben
  // Without the live line, nothing but the list itself tells of other posts.
  await page.routeWebSocket(/\/app\//, () => {})
  await page.goto('/')
  const like = (id: number) => page.locator(`[data-post="${id}"]`).getByRole('button', { name: /^Like/ })
  await expect(like(one.id)).toHaveAttribute('aria-pressed', 'false')
  await call(ann.page, 'PUT', `/api/posts/${two.id}/like`)
  const calls = watchCalls(page, /^\/api\/posts/)
  await like(one.id).click()
  await expect(like(two.id)).toContainText('1')
  expect(calls).toEqual([`PUT /api/posts/${one.id}/like`, 'GET /api/posts'])
})

test('registration and log-in ask nothing of the fields themselves: an empty form goes to the server, after its cookie', async ({
  page,
}) => {
  const calls = watchCalls(page, /^\/(api\/register|login|sanctum)/)
  await page.goto('/register')
  calls.length = 0
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByText('The email field is required.')).toBeVisible()
  await expect(page.getByText('The password field is required.')).toBeVisible()
  expect(calls).toEqual(['GET /sanctum/csrf-cookie', 'POST /api/register'])
  await page.goto('/login')
  calls.length = 0
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
  await expect(bad(page)).toHaveText('Login failed.')
  expect(calls).toEqual(['GET /sanctum/csrf-cookie', 'POST /login'])
})

test('registration sends its four fields, shows the first error of each, and the server’s message in green', async ({
  page,
}) => {
  const errors = {
    email: ['First of the email.', 'Second of the email.'],
    password: ['First of the password.', 'Second of the password.'],
  }
  const refuse = { status: 422, json: { message: 'First of the email.', errors } }
  await page.route('**/api/register', (route) => route.fulfill(refuse), { times: 1 })
  await page.goto('/register')
  await page.getByLabel('User name').fill('Ann')
  await page.getByLabel('Email address').fill('ann.in.green@engawa.example')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Register' }).click()
  for (const field of ['email', 'password'])
    await expect(page.getByText(`First of the ${field}.`)).toBeVisible()
  await expect(page.getByText('Second of')).toHaveCount(0)

  const sent = page.waitForRequest('**/api/register')
  await page.getByRole('button', { name: 'Register' }).click()
  const request = await sent
  expect(request.postDataJSON()).toEqual({
    name: 'Ann',
    email: 'ann.in.green@engawa.example',
    password,
    password_confirmation: password,
  })
  expect(await request.headerValue('x-xsrf-token')).toBeTruthy()
  const { message } = await (await request.response())!.json()
  await expect(good(page)).toHaveText(message)
  const [red, green, blue] = await good(page).evaluate((element) => {
    const context = document.createElement('canvas').getContext('2d')!
    context.fillStyle = getComputedStyle(element).color
    context.fillRect(0, 0, 1, 1)
    return [...context.getImageData(0, 0, 1, 1).data]
  })
  expect(green).toBeGreaterThan(Math.max(red!, blue!))
})

test('of six pictures four are sent, with the text', async ({ member }) => {
  const { page } = await member('Ann')
  await page.goto('/post')
  const input = page.locator('input[type=file]')
  await expect(input).toHaveAttribute('multiple')
  await expect(input).toHaveAttribute('accept', 'image/*')
  await page.getByLabel('Text of the post').fill('Four of six')
  await input.setInputFiles(await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => picture(name))))
  await expect(page.locator('.tile')).toHaveCount(4)
  const answered = page.waitForResponse(
    (response) => response.url().endsWith('/api/posts') && response.request().method() === 'POST',
  )
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await page.getByRole('button', { name: 'Post anyway' }).click()
  const { post } = await (await answered).json()
  expect(post.body).toBe('Four of six')
  expect(post.images).toHaveLength(4)
})

test('Upload makes no call without a file, and one with it', async ({ member }) => {
  const { page } = await member('Ann')
  await page.goto('/edit')
  const calls = watchCalls(page, /^\/api\/profile-image/)
  const upload = page.getByRole('button', { name: 'Upload' })
  await upload.click()
  await upload.click()
  await page.locator('input[type=file]').setInputFiles([await picture('me')])
  await page.getByRole('dialog').getByRole('button', { name: 'Use this part' }).click()
  await upload.click()
  await expect(page.locator('.sill .face img')).toHaveAttribute('src', /^\/media\//)
  expect(calls).toEqual(['POST /api/profile-image'])
})

test('who is followed changes on the page once the call has succeeded, and not where it failed', async ({
  member,
}) => {
  const [ann, ben] = [await member('Ann Held Back'), await member('Ben')]
  const { page } = ben
  await page.goto('/follow')
  await page.getByPlaceholder('Search by Username').fill('held back')
  const button = page.getByRole('listitem').filter({ hasText: ann.name }).getByRole('button')
  for (const [before, after, url] of [
    ['Follow Ann Held Back', 'Unfollow Ann Held Back (following)', '**/api/follow/*'],
    ['Unfollow Ann Held Back (following)', 'Follow Ann Held Back', '**/api/unfollow/*'],
  ] as const) {
    await page.route(url, (route) => route.fulfill({ status: 500, json: { message: 'Server Error' } }), {
      times: 1,
    })
    await button.click()
    await expect(page.locator('.toast')).toBeVisible()
    await expect(button).toHaveAccessibleName(before)
    await page.locator('.toast').getByRole('button', { name: 'Close' }).click()
    const letGo = await held(page, url)
    await button.click()
    await expect(button).toHaveAttribute('data-pending')
    await expect(button).toHaveAccessibleName(before)
    letGo()
    await expect(button).toHaveAccessibleName(after)
  }
})

test('a session that is over is alerted wherever something is done: posting, following, liking, the list of users, a chat', async ({
  admin,
  member,
}) => {
  const [ann, ben] = [await admin('Ann'), await member('Ben Goes')]
  const { post } = await write(ben.page, 'A post to like')
  await follow(ann, ben)
  const { page } = ann
  const refuse = { status: 401, json: { message: 'Unauthenticated.' } }
  const doings: [path: string, url: string, act: () => Promise<unknown>][] = [
    [
      '/post',
      '**/api/posts',
      async () => {
        await page.getByLabel('Text of the post').fill('Not to be')
        await page.getByRole('button', { name: 'Post', exact: true }).click()
      },
    ],
    [
      '/follow?q=Ben%20Goes',
      '**/api/unfollow/*',
      () =>
        page
          .getByRole('button', { name: /^Unfollow Ben Goes/ })
          .first()
          .click(),
    ],
    [
      '/',
      '**/api/posts/*/like',
      () => page.locator(`[data-post="${post.id}"]`).getByRole('button', { name: /^Like/ }).click(),
    ],
    ['/edit', '**/api/profile', () => page.getByRole('button', { name: 'Save' }).click()],
    [
      '/admin/dashboard',
      '**/api/admin/users*',
      () => page.getByRole('main').getByRole('link', { name: 'Users' }).click(),
    ],
    ['/my-groups', '**/api/conversations*', () => page.locator('.tabs a[href="/users"]').click()],
    ['/users', '**/api/my-groups', () => page.locator('.tabs a[href="/my-groups"]').click()],
    ['/users', '**/api/messages/*', () => page.locator(`a[href="/privatechat/${ben.id}"]`).click()],
    [
      `/privatechat/${ben.id}`,
      '**/api/send-private-message',
      async () => {
        await page.getByPlaceholder('Enter your message').fill('Not to be')
        await page.keyboard.press('Enter')
      },
    ],
  ]
  for (const [path, url, act] of doings) {
    await page.goto(path)
    await page.route(url, (route) =>
      path === '/post' && route.request().method() === 'GET' ? route.continue() : route.fulfill(refuse),
    )
    await act()
    await expect(alert(page, 'Please log in.').last(), `${path} ${url}`).toBeVisible()
    await page.unrouteAll()
  }
})

for (const kind of ['private', 'group'] as const)
  test(`history comes first, then what is said; the channel of a ${kind} chat is left with its page`, async ({
    admin,
    member,
  }) => {
    const [ann, ben] = [await admin('Ann'), await member('Ben')]
    await follow(ann, ben)
    await follow(ben, ann)
    const { group } = await call(ann.page, 'POST', '/api/groups', { name: 'Kiln' })
    await call(ann.page, 'POST', `/api/groups/${group.id}/add-user`, { user_id: ben.id })
    const isPrivate = kind === 'private'
    const say = (message: string) =>
      isPrivate
        ? call(ben.page, 'POST', '/api/send-private-message', { input: message, targetUserId: ann.id })
        : call(ben.page, 'POST', '/api/group-messages/send', { group_id: group.id, message })
    const channel = isPrivate ? `private-chat.${ann.id}.${ben.id}` : `private-group-chat.${group.id}`
    const chat = isPrivate ? `/privatechat/${ben.id}` : `/group-chat/${group.id}`
    const { page } = ann
    const out: string[] = []
    const back: string[] = []
    page.on('websocket', (socket) => {
      socket.on('framesent', ({ payload }) => out.push(String(payload)))
      socket.on('framereceived', ({ payload }) => back.push(String(payload)))
    })
    const sent = (event: string) =>
      out
        .map((frame) => JSON.parse(frame))
        .filter((one) => one.event === event && one.data.channel === channel)
    const heard = (event: string) =>
      back.map((frame) => JSON.parse(frame)).filter((one) => one.event === event && one.channel === channel)

    await say('before')
    await page.goto(isPrivate ? '/users' : '/my-groups')
    const letGo = await held(page, isPrivate ? '**/api/messages/*' : '**/api/group-messages/*')
    await page.locator(`a[href="${chat}"]`).click()
    await expect(page.getByText('Loading...')).toBeVisible()
    await expect(page.locator('.bubble')).toHaveCount(0)
    letGo()
    await expect(page.locator('.bubble')).toHaveText(['before'])
    await expect.poll(() => heard('pusher_internal:subscription_succeeded').length).toBe(1)
    await say('after')
    await expect(page.locator('.bubble')).toHaveText(['before', 'after'])

    await page
      .getByRole('navigation', { name: 'Main', exact: true })
      .getByRole('link', { name: 'Search Users' })
      .click()
    await expect.poll(() => sent('pusher:unsubscribe').length).toBe(1)
    const event = isPrivate ? 'PrivateMessageSent' : 'GroupMessageSent'
    await expect.poll(() => heard(event).length).toBe(1)
    await say('gone')
    await expect(page.getByRole('navigation', { name: 'Main', exact: true }).locator('.badge')).toContainText(
      '1',
    )
    expect(heard(event)).toHaveLength(1)
  })

test('in the public chat a visitor writes, and everybody who has it open reads', async ({ page, member }) => {
  const { page: ann } = await member('Ann')
  for (const one of [page, ann]) {
    await one.goto('/chat')
    await expect(one.getByText('Connected')).toBeVisible()
  }
  await page.getByPlaceholder('Enter your message').fill('Hello, everybody')
  await page.getByRole('button', { name: 'Send' }).click()
  for (const one of [page, ann]) await expect(one.getByRole('log')).toContainText('Hello, everybody')
  await expect(page.getByPlaceholder('Enter your message')).toHaveValue('')
})

test('lists stand in grey until they are there, and say so', async ({ admin }) => {
  const { page } = await admin('Ann')
  for (const [to, url] of [
    ['/followingpostlist', '**/api/posts/following*'],
    ['/follow', '**/api/users*'],
    ['/users', '**/api/conversations*'],
    ['/my-groups', '**/api/my-groups'],
    ['/admin/users', '**/api/admin/users*'],
  ] as const) {
    await page.goto(to === '/admin/users' ? '/admin/dashboard' : '/edit')
    const letGo = await held(page, url)
    await page.getByRole('button', { name: 'Chat' }).first().hover()
    await page.locator(`a[href="${to}"]`).first().dispatchEvent('click')
    await expect(page.locator('main .bones').first()).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: 'Loading...' })).toBeVisible()
    letGo()
    await expect(page.locator('main .bones')).toHaveCount(0)
    await page.unrouteAll()
  }
})

test('the live line is encrypted where the page is, and goes to the one host that the page came from', async ({
  page,
  server,
}) => {
  const lines: string[] = []
  await page.routeWebSocket(/\/app\//, (line) => void lines.push(line.url()))
  await page.route('https://town.example/**', async (route) => {
    const { pathname, search } = new URL(route.request().url())
    await route.fulfill({ response: await page.request.fetch(server.url + pathname + search) })
  })
  await page.goto('https://town.example/')
  await expect
    .poll(() => lines)
    .toEqual([expect.stringMatching(/^wss:\/\/town\.example(:443)?\/app\/engawa\?/)])
})

import type { Locator } from '@playwright/test'
import { follow } from './chat-helpers.ts'
import { expect, fetchJson, test, writePost } from './fixture.ts'
import {
  alertWith,
  expectPulsing,
  expectSpecText,
  holdRequests,
  type Language,
  languages,
  loadingTexts,
  localeOption,
  successNotice,
} from './spec-helpers.ts'

for (const lang of languages)
  test.describe(`in ${lang}`, () => {
    test.use(localeOption(lang))
    const en = lang === 'en'
    // spec: 2.25, 2.29, 8.14, 8.15
    test('empty lists of chats show their texts, with curly apostrophes; a successful save shows an alert', async ({
      member,
    }) => {
      const { page } = await member('Ann', { lang })
      await page.goto('/users')
      await expectSpecText(
        page.locator('.conversation-list .empty'),
        lang,
        'You’re not following anyone yet.',
        'まだだれもフォローしていません。',
      )
      await page.locator('.tabs a[href="/my-groups"]').click()
      await expectSpecText(
        page.locator('.conversation-list .empty'),
        lang,
        'You haven’t joined any groups yet.',
        'まだどのグループにも入っていません。',
      )

      await page.goto('/edit')
      await page.getByRole('button', { name: en ? 'Save' : '保存', exact: true }).click()
      await expectSpecText(
        alertWith(page, en ? 'Profile' : 'プロフィール').locator('.toast'),
        lang,
        'Profile updated successfully!',
        'プロフィールを更新しました。',
      )
      await page
        .locator('.toast')
        .getByRole('button', { name: en ? 'Close' : '閉じる' })
        .click()
      await page.evaluate(() => history.pushState(null, '', '/post'))
      await page.getByLabel(en ? 'Text of the post' : '投稿の本文').fill('Rain, then sun.')
      await page.getByRole('button', { name: en ? 'Post' : '投稿する', exact: true }).click()
      await expectSpecText(
        alertWith(page, en ? 'Post' : '投稿').locator('.toast'),
        lang,
        'Post submitted successfully.',
        '投稿しました。',
      )
    })

    // spec: 2.46, 2.47, 4.12
    test('a loading page shows a pulsing text until it has its data', async ({ admin, member }) => {
      const [ann, ben] = [await admin('Ann', { lang }), await member('Ben')]
      await follow(ann, ben)
      const { group } = await fetchJson(ann.page, 'POST', '/api/groups', {
        name: 'Kiln',
      })
      const { page } = ann
      const loading = page.getByText(loadingTexts[lang], { exact: true })
      const come = async (to: string, url: string, then: Locator) => {
        const letGo = await holdRequests(page, url)
        await page.locator(`a[href="${to}"]`).first().dispatchEvent('click')
        await expectPulsing(loading)
        await expect(then).toHaveCount(0)
        letGo()
        await expect(then).toBeVisible()
        await expect(loading).toHaveCount(0)
        await page.unrouteAll()
      }
      const box = page.getByPlaceholder(en ? 'Enter your message' : 'メッセージを入力')
      await page.goto('/users')
      await come(`/privatechat/${ben.id}`, '**/api/messages/*', box)
      await page.goto('/my-groups')
      await come(`/group-chat/${group.id}`, '**/api/group-messages/*', box)
      await page.setViewportSize({ width: 390, height: 800 })
      await page.goto('/')
      await come('/edit', '**/api/profile', page.getByLabel(en ? 'Bio' : '自己紹介'))
    })

    // spec: 2.4, 9.8
    test('a post shows its age, which stays correct while the page is open, and its tooltip has the date', async ({
      member,
    }) => {
      const { page, id } = await member('Ann', { lang })
      const { post } = await writePost(page, 'Lanterns')
      const start = new Date(post.created_at).getTime()
      await page.clock.install({ time: start })
      await page.goto(`/people/${id}`)
      const time = page.locator(`[data-post="${post.id}"] time`)
      await expect(time).toHaveText(en ? 'just now' : 'たった今')
      await expect(time).toHaveAttribute('title', new RegExp(`${new Date(start).getFullYear()}`))
      await page.clock.runFor(61_000)
      await expect(time).toHaveText(en ? '1 minute ago' : '1分前')
      await page.clock.runFor(120_000)
      await expect(time).toHaveText(en ? '3 minutes ago' : '3分前')

      const [minute, hour] = [60_000, 3_600_000]
      for (const [gone, english, japanese] of [
        [0, 'just now', 'たった今'],
        [minute, '1 minute ago', '1分前'],
        [59 * minute, '59 minutes ago', '59分前'],
        [hour, '1 hour ago', '1時間前'],
        [3 * hour, '3 hours ago', '3時間前'],
        [24 * hour, 'yesterday', '昨日'],
        [3 * 24 * hour, '3 days ago', '3日前'],
        [61 * 24 * hour, '2 months ago', '2か月前'],
        [800 * 24 * hour, '2 years ago', '2年前'],
      ] as const) {
        await page.clock.setFixedTime(start + gone)
        // The page reads the clock at once when it is shown again after it was hidden.
        await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
        await expect(time).toHaveText(en ? english : japanese)
      }
    })
  })

// spec: 8.13
test('chat pages show a message when the current user cannot be loaded, in both languages', async ({
  page,
}) => {
  await page.route('**/api/user', (route) =>
    route.fulfill({ status: 500, json: { message: 'Server Error' } }),
  )
  for (const path of ['/users', '/privatechat/1', '/my-groups', '/group-chat/1'])
    await test.step(path, async () => {
      await page.goto(path)
      const expectMessageIn = (lang: Language) =>
        expectSpecText(
          page.locator('main .empty'),
          lang,
          'Failed to retrieve the logged-in user.',
          'あなたの情報を読み込めませんでした。',
        )
      await expectMessageIn('en')
      await page.locator('.top-bar').getByRole('button', { name: 'Profile' }).click()
      await page.locator('.menu:popover-open').getByRole('button', { name: '日本語' }).click()
      await expectMessageIn('ja')
      await page.locator('.menu:popover-open').getByRole('button', { name: 'English' }).click()
      await expect(alertWith(page, 'Please log in.')).toHaveCount(0)
    })
})

// spec: 4.9, 8.12
test('a created group is shown with its name and number of added members; a failure shows an alert; in both languages', async ({
  admin,
  member,
}) => {
  const { page } = await admin('Ann')
  const ben = await member('Ben of the group')
  for (const lang of languages) {
    const en = lang === 'en'
    await page.goto('/admin/creategroup')
    await page
      .locator('.footer')
      .getByRole('button', { name: en ? 'English' : '日本語' })
      .click()
    const create = page.getByRole('button', { name: en ? 'Create group' : 'グループを作成', exact: true })
    await page.route(
      '**/api/groups',
      (route) => route.fulfill({ status: 500, json: { message: 'Server Error' } }),
      { times: 1 },
    )
    await page.getByRole('textbox', { name: en ? 'Group name' : 'グループ名' }).fill(`Kiln ${lang}`)
    await create.click()
    await expectSpecText(
      alertWith(page, '失敗しました').locator('.toast'),
      lang,
      '失敗しました',
      'The group was not created.',
      'ja',
    )
    await page.getByPlaceholder(en ? 'Search by Username' : '名前で検索').fill(ben.name)
    await page.getByRole('checkbox', { name: ben.name }).first().check()
    await create.click()
    await expect(successNotice(page)).toHaveText(
      en
        ? 'The group “Kiln en” was created, and 1 user was added.'
        : 'グループ「Kiln ja」を作成し、1人を追加しました。',
    )
  }
})

// spec: 7.4
test('authorisation of a private channel is requested after the CSRF cookie', async ({ member }) => {
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

// spec: 4.12
test('lists show grey placeholders while loading, with a text', async ({ admin }) => {
  const { page } = await admin('Ann')
  for (const [to, url, from] of [
    ['/users', '**/api/conversations*', '/edit'],
    ['/my-groups', '**/api/my-groups', '/edit'],
    ['/followingpostlist', '**/api/posts/following*'],
    ['/follow', '**/api/users*'],
    ['/admin/users', '**/api/admin/users*', '/admin/dashboard'],
  ] as const) {
    if (from) await page.goto(from)
    const letGo = await holdRequests(page, url)
    await page.getByRole('button', { name: 'Chat' }).first().hover()
    await page.locator(`a[href="${to}"]`).first().dispatchEvent('click')
    await expect(page.locator('main .skeleton').first()).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: 'Loading...' })).toBeVisible()
    letGo()
    await expect(page.locator('main .skeleton')).toHaveCount(0)
    await page.unrouteAll()
  }
})

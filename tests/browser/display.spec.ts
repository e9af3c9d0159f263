import { expect, expectAccessible, fetchJson, pictureFile, test, writePost } from './fixture.ts'

test('language and theme are in the profile menu, which stays open', async ({ member }) => {
  const { page } = await member('Ann')
  await page.goto('/users')
  await page.getByRole('button', { name: 'Profile: Ann' }).click()
  const menu = page.locator('.menu:popover-open')
  await menu.getByRole('button', { name: 'Dark' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expectAccessible(page)
  await menu.getByRole('button', { name: '日本語' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja')
  await expect(menu.getByRole('button', { name: '暗い' })).toHaveAttribute('aria-pressed', 'true')
  await page.goto('/')
  await expect(page.locator('.footer').getByRole('button', { name: '暗い' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await page.getByRole('button', { name: /^プロフィール：/ }).click()
  await menu.getByRole('button', { name: 'English' }).click()
  await menu.getByRole('button', { name: 'Light' }).click()
  await expect(page.locator('.footer').getByRole('button', { name: 'Light' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
})

test('a page for members asks a visitor to log in once', async ({ page }) => {
  await page.goto('/')
  for (const path of ['/edit', '/followingpostlist', '/follow', '/post', '/users', '/cart'])
    await test.step(path, async () => {
      await page.evaluate((to) => history.pushState(null, '', to), path)
      await expect(page.getByRole('heading', { name: 'Please log in.' })).toBeVisible()
      await expect(page.getByText('Please log in.')).toHaveCount(1)
      await expect(page.getByRole('alert').filter({ hasText: 'Please log in.' })).toHaveCount(1)
      await page.evaluate(() => history.pushState(null, '', '/login'))
      await expect(page.getByText('Please log in.')).toHaveCount(0)
    })
})

test('each paragraph of a post has its own direction', async ({ member }) => {
  const { page } = await member('Ann')
  const { post } = await writePost(page, 'مرحبا بكم\nHello, all of you.\nمرحبا')
  await page.goto(`/posts/${post.id}`)
  const body = page.locator('.post .prose')
  const sides = await body.evaluate((element) => {
    const text = element.firstChild as Text
    const box = element.getBoundingClientRect()
    const findSide = (from: number, to: number) => {
      const range = document.createRange()
      range.setStart(text, from)
      range.setEnd(text, to)
      const { left, right } = range.getBoundingClientRect()
      return left - box.left < 2 ? 'left' : box.right - right < 2 ? 'right' : 'neither'
    }
    const [first, second] = [text.data.indexOf('\n'), text.data.lastIndexOf('\n')]
    return [findSide(0, first), findSide(first + 1, second), findSide(second + 1, text.length)]
  })
  expect(sides).toEqual(['right', 'left', 'right'])
})

test('the two lists of posts explain their difference; titles have the same position', async ({ member }) => {
  const { page } = await member('Ann')
  const title = page.getByRole('heading', { level: 1 })
  const link = (name: string) => page.locator('.top-bar').getByRole('link', { name, exact: true })
  const tab = (index: number) => page.locator('.tabs a').nth(index)
  await page.goto('/')
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await tab(0).click()
    await expect(title).toHaveText('Post List')
    const titleBox = await title.boundingBox()
    const tabs = await page.locator('.tabs').boundingBox()
    await tab(1).click()
    await expect(title).toHaveText('投稿一覧 Posts from people you follow')
    await expect(page).toHaveTitle(/^投稿一覧 \(Posts from people you follow\)/)
    const { y, height } = (await title.boundingBox())!
    expect([y, height], `${width} px wide`).toEqual([titleBox!.y, titleBox!.height])
    expect((await page.locator('.tabs').boundingBox())!.y, `${width} px wide`).toBe(tabs!.y)
  }
  await expect(link('Home')).toHaveAccessibleDescription('Posts from everyone')
  await expect(link('Posts')).toHaveAccessibleDescription('Posts from people you follow')
})

test('counts link to lists of followers, followed members, and members who like a post; a list that can be scrolled ends with half a row', async ({
  member,
}) => {
  const ann = await member('Ann Counted')
  const ben = await member('Ben Counted')
  await fetchJson(ben.page, 'POST', `/api/follow/${ann.id}`)
  const { post } = await writePost(ann.page, 'Liked')
  await fetchJson(ben.page, 'PUT', `/api/posts/${post.id}/like`)
  const { page } = ann
  await page.goto(`/people/${ann.id}`)
  await page.getByRole('button', { name: '1 follower' }).click()
  const followers = page.getByRole('dialog', { name: '1 follower' })
  await expect(followers.getByRole('link', { name: 'Ben Counted' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '0 following' }).click()
  await expect(page.getByRole('dialog', { name: '0 following' }).getByText('Nobody yet.')).toBeVisible()
  await page.keyboard.press('Escape')

  const manyFollowers = Array.from({ length: 17 }, (_, at) => ({
    id: at + 1000,
    name: `Follower ${at}`,
    profile_image: null,
  }))
  await page.route('**/api/users/*/followers*', (route) => route.fulfill({ json: manyFollowers }))
  for (const height of [600, 844]) {
    await page.setViewportSize({ width: 390, height })
    await page.getByRole('button', { name: '1 follower' }).click()
    const list = page.getByRole('dialog').getByRole('list')
    await expect(list.getByRole('listitem')).toHaveCount(17)
    const visibleRows = await list.evaluate((ul) => ul.clientHeight / ul.firstElementChild!.clientHeight)
    expect(visibleRows % 1).toBeCloseTo(0.5, 1)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }

  await page.getByRole('button', { name: '1 like' }).click()
  const likers = page.getByRole('dialog', { name: '1 like' })
  await expect(likers.getByRole('button', { name: 'Follow Ben Counted' })).toBeVisible()
  await likers.getByRole('link', { name: 'Ben Counted' }).click()
  await expect(page).toHaveURL(`/people/${ben.id}`)
  await expect(likers).toHaveCount(0)
})

test('forms do not shift after a failed log-in or a chosen picture', async ({ member, page }) => {
  const widths = [390, 1440]
  /** Returns the positions of all fields and buttons of the main part, in each width. */
  const parts = async (on: typeof page) => {
    const all: string[][] = []
    for (const width of widths) {
      await on.setViewportSize({ width, height: 900 })
      all.push(
        await on.locator('main :is(input:not([type=file]), textarea, button, .button)').evaluateAll((found) =>
          found.map((part) => {
            const { x, y } = part.getBoundingClientRect()
            return `${part.textContent || (part as HTMLInputElement).name} ${x} ${y}`
          }),
        ),
      )
    }
    return all
  }
  await page.goto('/login')
  await expect(page.getByLabel('Password')).toBeVisible()
  const before = await parts(page)
  await page.getByLabel('Email address').fill('nobody@engawa.example')
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page.getByText('Login failed.')).toBeVisible()
  // The pressed button comes back to its size.
  await expect.poll(() => parts(page)).toEqual(before)

  const ann = await member('Ann')
  await ann.page.goto('/edit')
  await expect(ann.page.getByLabel('Bio')).toBeVisible()
  const fields = await parts(ann.page)
  for (const name of ['me', 'a-picture-of-me-with-a-name-that-is-long-and-longer-still']) {
    await ann.page.locator('input[type=file]').setInputFiles([await pictureFile(name)])
    await ann.page.getByRole('button', { name: 'Crop' }).click()
    await expect(ann.page.getByRole('dialog')).toHaveCount(0)
    await expect(ann.page.getByText(new RegExp(`^${name}.* kB`))).toBeVisible()
    expect(await parts(ann.page)).toEqual(fields)
  }
})

test('two members with the same name are shown with different handles', async ({ member }) => {
  const ann = await member('Ann Reader')
  for (let i = 0; i < 2; i++) await member('Sora Twin')
  await ann.page.goto('/follow')
  await ann.page.getByRole('searchbox').fill('sora twin')
  const rows = ann.page.getByRole('main').getByRole('listitem')
  await expect(rows).toHaveCount(2)
  const handles = await Promise.all([0, 1].map((at) => rows.nth(at).getByText(/^@/).textContent()))
  expect(new Set(handles).size).toBe(2)
  await rows.first().getByRole('link', { name: 'Sora Twin' }).first().click()
  await expect(ann.page.getByRole('heading', { level: 1 })).toHaveText('Sora Twin')
  await expect(ann.page.getByRole('region', { name: 'Profile' }).getByText(/^@/)).toBeVisible()
  await ann.page.goto(`/people/${ann.id}`)
  await expect(ann.page.getByRole('heading', { level: 1 })).toHaveText('Ann Reader')
  await expect(ann.page.getByRole('region', { name: 'Profile' }).getByText(/^@/)).toHaveCount(0)
})

import {
  expect,
  expectAccessible,
  expectNoOverflow,
  fetchJson,
  listViolations,
  PASSWORD,
  pictureFile,
  test,
  writePost,
} from './fixture.ts'
import { postForm } from './spec-helpers.ts'

test('a name leads to the member’s page: bio, counts, posts, actions; the own page links to the edit form', async ({
  member,
  page: visitor,
}) => {
  const ann = await member('Ann Profile')
  const ben = await member('Ben Profile')
  await fetchJson(ben.page, 'POST', '/api/profile', {
    name: 'Ben Profile',
    bio: 'Fishes.\nhttps://fish.example',
  })
  await fetchJson(ben.page, 'POST', `/api/follow/${ann.id}`)
  const { post } = await writePost(ben.page, 'From the river')
  await ann.page.goto('/')
  await ann.page.locator(`[data-post="${post.id}"]`).getByRole('link', { name: 'Ben Profile' }).click()
  await expect(ann.page).toHaveURL(`/people/${ben.id}`)
  await expect(ann.page.getByRole('heading', { level: 1, name: 'Ben Profile' })).toBeVisible()
  await expect(ann.page).toHaveTitle(/^Ben Profile – /)
  const profile = ann.page.getByRole('region', { name: 'Profile' })
  for (const text of ['1 post', '1 following', '0 followers', 'Follows you'])
    await expect(profile).toContainText(text)
  await expect(profile.getByRole('link', { name: 'https://fish.example' })).toBeVisible()
  await profile.getByRole('button', { name: 'Follow Ben Profile' }).click()
  await expect(profile).toContainText('1 follower')
  await expect(ann.page.getByText('From the river')).toBeVisible()
  await profile.getByRole('link', { name: 'Message' }).click()
  await expect(ann.page).toHaveURL(`/privatechat/${ben.id}`)
  await ann.page.getByRole('heading', { level: 1 }).getByRole('link', { name: 'Ben Profile' }).click()
  await expect(ann.page).toHaveURL(`/people/${ben.id}`)

  await ann.page.getByRole('button', { name: 'Profile: Ann' }).click()
  await ann.page
    .locator('.menu')
    .getByRole('link', { name: /^Ann .*@/ })
    .click()
  await expect(ann.page.getByText('You have not posted yet.')).toBeVisible()
  await expect(profile.getByRole('link', { name: 'Edit profile' })).toHaveAttribute('href', '/edit')
  await expect(ann.page.getByRole('button', { name: /Follow/ })).toHaveCount(0)

  await ann.page.goto('/people/99999')
  await expect(ann.page.getByRole('heading', { level: 1, name: 'Page not found.' })).toBeVisible()
  await visitor.goto(`/people/${ann.id}`)
  await expect(visitor.getByRole('heading', { name: 'Please log in.' })).toBeVisible()
})

test('a post has an address that can be copied, and a post that its author deletes disappears from every open page', async ({
  member,
  page: visitor,
  browserName,
}) => {
  const ann = await member('Ann')
  const ben = await member('Ben')
  const { post } = await writePost(ann.page, 'line\n'.repeat(20))
  await ann.page.goto('/')
  const card = ann.page.locator(`[data-post="${post.id}"]`)
  await ann.page
    .context()
    .grantPermissions(browserName === 'chromium' ? ['clipboard-read', 'clipboard-write'] : [])
  await card.getByRole('button', { name: /^More about/ }).click()
  await ann.page.getByRole('button', { name: 'Copy link' }).click()
  await expect(ann.page.getByText('Link copied.')).toBeVisible()
  const copied = await ann.page.evaluate(() => navigator.clipboard.readText())
  expect(new URL(copied).pathname).toBe(`/posts/${post.id}`)
  await card.getByRole('link', { name: /ago|now/ }).click()
  await expect(ann.page).toHaveURL(`/posts/${post.id}`)
  await visitor.goto(copied)
  await expect(visitor.getByRole('heading', { level: 1, name: 'Post by Ann' })).toBeVisible()
  await expect(visitor.getByRole('button', { name: 'Show more' })).toHaveCount(0)
  await visitor.goto('/posts/99999')
  await expect(visitor.getByText('This post is not available.')).toBeVisible()

  await ben.page.goto(copied)
  await ben.page.getByRole('button', { name: /^More about/ }).click()
  await expect(ben.page.getByRole('button', { name: 'Copy link' })).toBeVisible()
  await expect(ben.page.getByRole('button', { name: 'Delete post' })).toHaveCount(0)
  await ben.page.keyboard.press('Escape')

  await ann.page.goBack()
  await expect(ann.page).toHaveURL('/')
  // The URL changes before the content does.
  await expect(ann.page.getByRole('heading', { level: 1 })).toContainText('Post List')
  await card.getByRole('button', { name: /^More about/ }).click()
  await ann.page.getByRole('button', { name: 'Delete post' }).click()
  const question = ann.page.getByRole('dialog', { name: 'Delete this post?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(card).toBeVisible()
  await card.getByRole('button', { name: /^More about/ }).click()
  await ann.page.getByRole('button', { name: 'Delete post' }).click()
  await question.getByRole('button', { name: 'Delete post' }).click()
  await expect(ann.page.getByText('The post was deleted.')).toBeVisible()
  await expect(card).toHaveCount(0)
  await expect(ann.page.locator('article:focus, h1:focus')).toHaveCount(1)
  await expect(ben.page.getByText('This post is not available.')).toBeVisible()
})

test('a post that was deleted during a disconnect disappears on reconnect', async ({ member }) => {
  const { page } = await member('Ann')
  const { post } = await writePost(page, 'Now you see me')
  let line: { close: () => unknown } | undefined
  await page.routeWebSocket(/\/app\//, (socket) => {
    line = socket
    socket.connectToServer()
  })
  await page.goto(`/posts/${post.id}`)
  await expect(page.getByText('Now you see me')).toBeVisible()
  await expect.poll(() => line !== undefined).toBe(true)
  await line!.close()
  await fetchJson(page, 'DELETE', `/api/posts/${post.id}`)
  // Waits up to a minute, because the real-time client waits before it connects again.
  await expect(page.getByText('This post is not available.')).toBeVisible({ timeout: 60_000 })
})

test('after a log-in with another account in another tab, no data of the first account is used', async ({
  member,
}) => {
  const ann = await member('Ann Twotabs')
  const ben = await member('Ben Twotabs')
  await ann.page.goto('/edit')
  await ann.page.getByLabel('Name', { exact: true }).fill('Ann, half written')
  const other = await ann.page.context().newPage()
  await other.goto('/login')
  await expect(other.getByText('You are logged in as Ann Twotabs.')).toBeVisible()
  await other.getByRole('button', { name: 'Use another account' }).click()
  await other.getByLabel('Email address').fill(ben.email)
  await other.getByLabel('Password').fill(PASSWORD)
  await other.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(other).toHaveURL('/')
  await ann.page.bringToFront()
  await expect(ann.page.getByRole('button', { name: 'Profile: Ben Twotabs' })).toBeVisible()
  await expect(ann.page.getByLabel('Name', { exact: true })).toHaveValue('Ben Twotabs')
})

test('unread conversations are shown in the sidebar, and members who are online at the top', async ({
  member,
}) => {
  const ann = await member('Ann')
  const ben = await member('Ben Waiting')
  await fetchJson(ben.page, 'POST', `/api/follow/${ann.id}`)
  await ann.page.setViewportSize({ width: 1440, height: 900 })
  await ann.page.goto('/')
  await expect(ann.page.getByRole('heading', { level: 1 })).toBeVisible()
  await fetchJson(ben.page, 'POST', '/api/send-private-message', {
    input: 'Are you there?',
    targetUserId: ann.id,
  })
  const beside = ann.page.getByRole('complementary', { name: 'Your chats' })
  await expect(beside.getByRole('heading', { name: 'Unread' })).toBeVisible()
  await expectAccessible(ann.page)
  const read = ann.page.waitForResponse((answer) => answer.url().endsWith('/read') && answer.ok())
  await beside.getByRole('link', { name: /Ben Waiting.*Are you there\?.*1 unread/ }).click()
  await expect(ann.page).toHaveURL(`/privatechat/${ben.id}`)
  await expect(ann.page.getByRole('log').getByText('Are you there?')).toBeVisible()
  await read
  await ann.page.goto('/')
  await expect(ann.page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(beside.getByText('Are you there?')).toHaveCount(0)

  const onlineMembers = ann.page.getByRole('button', { name: /\d online$/ })
  // Expects nobody online. Members of earlier tests are online until 1.5 seconds after their windows closed.
  await expect(onlineMembers).toHaveCount(0)
  await ben.page.goto('/')
  await expect(onlineMembers).toHaveAccessibleName('1 online')
  const link = ann.page.getByRole('group', { name: 'Online now' }).getByRole('link', { name: 'Ben Waiting' })
  // Opens the list of online members again if it closes, because a member of an earlier test leaves just now.
  await expect(async () => {
    if (!(await link.isVisible())) await onlineMembers.click({ timeout: 2000 })
    await link.click({ timeout: 2000 })
  }).toPass()
  await expect(ann.page).toHaveURL(`/people/${ben.id}`)
})

test('a newcomer sees first steps until they are done or dismissed', async ({ admin, member }) => {
  const { page, id } = await member('Ann')
  const ben = await member('Ben')
  await page.goto('/')
  const steps = page.getByRole('region', { name: 'First steps' })
  const links = steps.getByRole('link')
  await expect(links).toHaveText(['Add a profile picture', 'Follow people you know', 'Write your first post'])
  await expectAccessible(page)
  await steps.getByRole('link', { name: 'Follow people' }).click()
  await page.getByRole('button', { name: 'Follow Ben', exact: true }).first().click()
  await expect(page.getByRole('button', { name: 'Unfollow Ben (following)' }).first()).toBeVisible()
  await page.getByRole('link', { name: 'Home' }).first().click()
  await expect(links).toHaveText(['Add a profile picture', 'Write your first post'])
  await expect(steps).toContainText('Follow people you know (done)')
  await steps.getByRole('link', { name: 'Write your first post' }).click()
  await page.getByLabel('Text of the post').fill('Hello')
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(links).toHaveText(['Add a profile picture'])
  await expect(steps).toContainText('Write your first post (done)')
  await steps.getByRole('button', { name: 'Hide the first steps' }).click()
  await expect(steps).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(steps).toHaveCount(0)

  // The others came before Mio: she goes on to invite.
  const mio = await admin('Mio')
  await mio.page.goto('/')
  await expect(mio.page.getByRole('region', { name: 'First steps' }).getByRole('link')).toHaveText([
    'Add a profile picture',
    'Follow people you know',
    'Invite more people',
    'Write your first post',
  ])

  // Ben has not hidden the first steps, but has taken all of them.
  await writePost(ben.page, 'Hello')
  await fetchJson(ben.page, 'POST', `/api/follow/${id}`)
  await postForm(ben.page, '/api/profile-image', await pictureFile('ben'), 'image')
  await ben.page.goto('/')
  await expect(ben.page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(ben.page.getByRole('region', { name: 'First steps' })).toHaveCount(0)
})

test('keyboard shortcuts: “?” lists them, they navigate, and a setting switches them off', async ({
  member,
}) => {
  const { page, id } = await member('Ann')
  await writePost(page, 'a post')
  // Stops the page's time, because the page accepts a shortcut of two keys only if they follow each other
  // quickly, and this machine may be slow.
  await page.clock.setFixedTime(new Date())
  await page.goto('/')
  await expect(page.locator('article[data-post]').first()).toBeVisible()
  await page.keyboard.press('?')
  const legend = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(legend.getByRole('region', { name: 'Posts' })).toContainText('Next post')
  await expect(legend.getByRole('region', { name: 'On all pages' })).toContainText('Search users')
  await page.keyboard.press('n')
  await expect(page).toHaveURL('/')
  await page.keyboard.press('Escape')
  await expect(legend).toHaveCount(0)

  await page.keyboard.press('s')
  await expect(page).toHaveURL('/follow')
  await expect(page.getByRole('searchbox', { name: 'Search by Username' })).toBeFocused()
  await page.keyboard.type('gh')
  await expect(page.getByRole('searchbox')).toHaveValue('gh')
  await page.getByRole('heading', { level: 1 }).focus()
  for (const [keys, path, title] of [
    ['gh', '/', 'Post List'],
    ['gf', '/followingpostlist', '投稿一覧'],
    ['gc', '/users', 'Direct Message'],
    ['gg', '/my-groups', 'Your Groups'],
    ['gp', `/people/${id}`, 'Ann'],
  ] as const) {
    for (const key of keys) await page.keyboard.press(key)
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(title)
  }
  await expect(page.locator('article[data-post]')).toBeVisible()
  await page.keyboard.press('j')
  await expect(page.locator('article[data-post]')).toBeFocused()
  await page.keyboard.press('o')
  await expect(page.getByRole('heading', { level: 1, name: 'Post by Ann' })).toBeVisible()
  await page.goBack()
  await expect(page.locator('article[data-post]')).toBeFocused()
  await page.keyboard.press('o')
  // Waits for the heading of the next page, because the URL changes before the content does.
  await expect(page.getByRole('heading', { level: 1, name: 'Post by Ann' })).toBeVisible()
  await page.keyboard.press('l')
  await expect(page.getByRole('button', { name: /^Like/ })).toHaveAttribute('aria-pressed', 'true')

  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await legend.getByRole('checkbox').uncheck()
  await legend.getByRole('button', { name: 'Close' }).click()
  await page.keyboard.press('n')
  await page.keyboard.press('?')
  await expect(legend).toHaveCount(0)
  await expect(page).toHaveURL(/\/posts\/\d+/)
})

test('the pages of a member and of a post fit, with long names and in narrow windows', async ({ member }) => {
  const { page, id, name } = await member('Wolfeschlegelsteinhausenbergerdorff Featherstonehaugh')
  await fetchJson(page, 'POST', '/api/profile', {
    name,
    bio: 'Fishes.\nhttps://fish.example',
  })
  const { post } = await writePost(
    page,
    'https://a.very.long.example/address-that-does-not-break-anywhere-at-all-because-it-is-one-word',
  )
  for (const path of [`/people/${id}`, `/posts/${post.id}`, '/']) {
    await page.setViewportSize({ width: 320, height: 800 })
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectNoOverflow(page)
    // Does not check the size of click targets on `/`, because the bottom bar may cover a part of a button
    // there.
    expect(await listViolations(page, { without: path === '/' ? ['target-size'] : [] })).toEqual([])

    // With the keyboard, because the footer may move while parts of the page load.
    await page.locator('.footer').getByRole('button', { name: '日本語' }).press('Enter')
    await expect(page.locator('html')).toHaveAttribute('lang', 'ja')
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      await expectNoOverflow(page)
    }
    await page.locator('.footer').getByRole('button', { name: 'English' }).click()
  }
})

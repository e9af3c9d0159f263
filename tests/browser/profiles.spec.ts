import {
  call,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  password,
  picture,
  test,
  violationsOn,
  write,
} from './fixture.ts'

test('a name leads to the member: bio, counts, posts, and what one can do', async ({ member }) => {
  const ann = await member('Ann Profile')
  const ben = await member('Ben Profile')
  await call(ben.page, 'POST', '/api/profile', { name: 'Ben Profile', bio: 'Fishes.\nhttps://fish.example' })
  await call(ben.page, 'POST', `/api/follow/${ann.id}`)
  const { post } = await write(ben.page, 'From the river')
  await ann.page.goto('/')
  await ann.page.locator(`[data-post="${post.id}"]`).getByRole('link', { name: 'Ben Profile' }).click()
  await expect(ann.page).toHaveURL(`/people/${ben.id}`)
  await expect(ann.page.getByRole('heading', { level: 1, name: 'Ben Profile' })).toBeVisible()
  await expect(ann.page).toHaveTitle(/^Ben Profile – /)
  const profile = ann.page.getByRole('region', { name: 'Profile' })
  await expect(profile).toContainText('1 post')
  await expect(profile).toContainText('1 following')
  await expect(profile).toContainText('0 followers')
  await expect(profile).toContainText('Follows you')
  await expect(profile.getByRole('link', { name: 'https://fish.example' })).toBeVisible()
  await expect(profile.getByRole('link', { name: 'Message' })).toHaveCount(0)
  await profile.getByRole('button', { name: 'Follow Ben Profile' }).click()
  await expect(profile).toContainText('1 follower')
  await expect(ann.page.getByText('From the river')).toBeVisible()
  await expectAccessible(ann.page)
  await profile.getByRole('link', { name: 'Message' }).click()
  await expect(ann.page).toHaveURL(`/privatechat/${ben.id}`)
  await ann.page.getByRole('heading', { level: 1 }).getByRole('link', { name: 'Ben Profile' }).click()
  await expect(ann.page).toHaveURL(`/people/${ben.id}`)
})

test('one’s own page leads to the form; a member that is not there is nobody; visitors are asked to log in', async ({
  member,
  page,
}) => {
  const ann = await member('Ann')
  await ann.page.goto('/')
  await ann.page.getByRole('button', { name: 'Profile: Ann' }).click()
  await ann.page
    .locator('.menu')
    .getByRole('link', { name: /^Ann .*@/ })
    .click()
  await expect(ann.page.getByText('You have not posted yet.')).toBeVisible()
  const profile = ann.page.getByRole('region', { name: 'Profile' })
  await expect(profile.getByRole('link', { name: 'Edit profile' })).toHaveAttribute('href', '/edit')
  await expect(ann.page.getByRole('button', { name: /Follow/ })).toHaveCount(0)
  await ann.page.goto('/people/99999')
  await expect(ann.page.getByRole('heading', { level: 1, name: 'Nobody sits here.' })).toBeVisible()
  await page.goto(`/people/${ann.id}`)
  await expect(page.getByRole('heading', { name: 'Please log in.' })).toBeVisible()
})

test('a post has an address that can be copied, for visitors too', async ({ member, page, browserName }) => {
  const ann = await member('Ann')
  const { post } = await write(ann.page, 'line\n'.repeat(20))
  await ann.page.goto('/')
  const card = ann.page.locator(`[data-post="${post.id}"]`)
  await ann.page
    .context()
    .grantPermissions(browserName === 'chromium' ? ['clipboard-read', 'clipboard-write'] : [])
  await card.getByRole('button', { name: /^More about/ }).click()
  await ann.page.getByRole('button', { name: 'Copy link' }).click()
  await expect(ann.page.getByText('The link is copied.')).toBeVisible()
  const copied = await ann.page.evaluate(() => navigator.clipboard.readText())
  expect(new URL(copied).pathname).toBe(`/posts/${post.id}`)
  await card.getByRole('link', { name: /ago|now/ }).click()
  await expect(ann.page).toHaveURL(`/posts/${post.id}`)
  await page.goto(copied)
  await expect(page.getByRole('heading', { level: 1, name: 'Post by Ann' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0)
  await expectAccessible(page)
  await page.goto('/posts/99999')
  await expect(page.getByText('This post is not here.')).toBeVisible()
})

test('whoever wrote a post deletes it after a question, and it goes from every open page', async ({
  member,
}) => {
  const ann = await member('Ann')
  const ben = await member('Ben')
  const { post } = await write(ann.page, 'I take it back')
  await ann.page.goto('/')
  await ben.page.goto(`/posts/${post.id}`)
  const hers = ann.page.locator(`[data-post="${post.id}"]`)
  await ben.page.getByRole('button', { name: /^More about/ }).click()
  await expect(ben.page.getByRole('button', { name: 'Copy link' })).toBeVisible()
  await expect(ben.page.getByRole('button', { name: 'Delete post' })).toHaveCount(0)
  await ben.page.keyboard.press('Escape')

  await hers.getByRole('button', { name: /^More about/ }).click()
  await ann.page.getByRole('button', { name: 'Delete post' }).click()
  const question = ann.page.getByRole('dialog', { name: 'Delete this post?' })
  await expectAccessible(ann.page)
  await question.getByRole('button', { name: 'Keep it' }).click()
  await expect(hers).toBeVisible()
  await hers.getByRole('button', { name: /^More about/ }).click()
  await ann.page.getByRole('button', { name: 'Delete post' }).click()
  await question.getByRole('button', { name: 'Delete post' }).click()
  await expect(ann.page.getByText('The post is deleted.')).toBeVisible()
  await expect(hers).toHaveCount(0)
  await expect(ann.page.locator('article:focus, h1:focus')).toHaveCount(1)
  await expect(ben.page.getByText('This post is not here.')).toBeVisible()
})

test('a post that went while the line was cut is gone when it is back', async ({ member }) => {
  const ann = await member('Ann')
  const ben = await member('Ben')
  const { post } = await write(ann.page, 'Now you see me')
  let line: { close: () => unknown } | undefined
  await ben.page.routeWebSocket(/\/app\//, (socket) => {
    line = socket
    socket.connectToServer()
  })
  await ben.page.goto(`/posts/${post.id}`)
  await expect(ben.page.getByText('Now you see me')).toBeVisible()
  await expect.poll(() => line !== undefined).toBe(true)
  await line!.close()
  await call(ann.page, 'DELETE', `/api/posts/${post.id}`)
  // The line comes back when its client has waited long enough.
  await expect(ben.page.getByText('This post is not here.')).toBeVisible({ timeout: 60_000 })
})

test('whoever logs in as somebody else in another tab takes nothing of the first one along', async ({
  member,
}) => {
  const ann = await member('Ann Twotabs')
  const ben = await member('Ben Twotabs')
  await ann.page.goto('/edit')
  await ann.page.getByLabel('Name', { exact: true }).fill('Ann, half written')
  const other = await ann.page.context().newPage()
  await other.goto('/login')
  await other.getByLabel('Email address').fill(ben.email)
  await other.getByLabel('Password').fill(password)
  await other.getByRole('button', { name: 'Log in' }).click()
  await expect(other).toHaveURL('/')
  await ann.page.bringToFront()
  await expect(ann.page.getByRole('button', { name: 'Profile: Ben Twotabs' })).toBeVisible()
  await expect(ann.page.getByLabel('Name', { exact: true })).toHaveValue('Ben Twotabs')
})

test('who else is here sits on the sill, and leads to their page', async ({ member }) => {
  const ann = await member('Ann Here')
  const ben = await member('Ben Here')
  await ann.page.goto('/')
  await expect(ann.page.getByRole('heading', { level: 1 })).toBeVisible()
  await ben.page.goto('/')
  const sitting = ann.page.getByRole('button', { name: '1 here now' })
  await sitting.click()
  await ann.page.getByRole('group', { name: 'Here now' }).getByRole('link', { name: 'Ben Here' }).click()
  await expect(ann.page).toHaveURL(`/people/${ben.id}`)
})

test('beside the room stands what waits to be read', async ({ member }) => {
  const ann = await member('Ann')
  const ben = await member('Ben Waiting')
  await call(ben.page, 'POST', `/api/follow/${ann.id}`)
  await ann.page.setViewportSize({ width: 1440, height: 900 })
  await ann.page.goto('/')
  await expect(ann.page.getByRole('heading', { level: 1 })).toBeVisible()
  await call(ben.page, 'POST', '/api/send-private-message', { input: 'Are you there?', targetUserId: ann.id })
  const beside = ann.page.getByRole('complementary', { name: 'Your chats' })
  await expect(beside.getByRole('heading', { name: 'Waiting for you' })).toBeVisible()
  await expectAccessible(ann.page)
  const read = ann.page.waitForResponse((answer) => answer.url().endsWith('/read') && answer.ok())
  await beside.getByRole('link', { name: /Ben Waiting.*Are you there\?.*1 unread/ }).click()
  await expect(ann.page).toHaveURL(`/privatechat/${ben.id}`)
  await expect(ann.page.getByRole('log').getByText('Are you there?')).toBeVisible()
  await read
  await ann.page.goto('/')
  await expect(ann.page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(beside.getByText('Are you there?')).toHaveCount(0)
})

test('a newcomer is shown what to do first, until it is done or sent away', async ({ member }) => {
  const ann = await member('Ann')
  const ben = await member('Ben')
  await ann.page.goto('/')
  const steps = ann.page.getByRole('region', { name: 'First steps' })
  const links = steps.getByRole('link')
  await expect(links).toHaveText([
    'Add a picture of yourself',
    'Follow people you know',
    'Write your first post',
  ])
  await expectAccessible(ann.page)
  await steps.getByRole('link', { name: 'Follow people' }).click()
  await ann.page.getByRole('button', { name: 'Follow Ben', exact: true }).first().click()
  await expect(ann.page.getByRole('button', { name: 'Unfollow Ben (following)' }).first()).toBeVisible()
  await ann.page.getByRole('link', { name: 'Home' }).first().click()
  await expect(links).toHaveText(['Add a picture of yourself', 'Write your first post'])
  await expect(steps).toContainText('Follow people you know (done)')
  await steps.getByRole('button', { name: 'Hide the first steps' }).click()
  await expect(steps).toHaveCount(0)
  await ann.page.reload()
  await expect(ann.page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(steps).toHaveCount(0)

  await ben.page.goto('/')
  const his = ben.page.getByRole('region', { name: 'First steps' })
  await his.getByRole('link', { name: 'Write your first post' }).click()
  await ben.page.getByLabel('Text of the post').fill('Hello')
  await ben.page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(his).toContainText('Write your first post (done)')
  await call(ben.page, 'POST', `/api/follow/${ann.id}`)
  await ben.page.goto('/edit')
  await ben.page.getByLabel('Choose a picture').setInputFiles(await picture('ben'))
  await ben.page.getByRole('button', { name: 'Use this part' }).click()
  await ben.page.getByRole('button', { name: 'Upload' }).click()
  await expect(ben.page.getByText('Profile image updated.')).toBeVisible()
  await ben.page.goto('/')
  await expect(ben.page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(ben.page.getByRole('region', { name: 'First steps' })).toHaveCount(0)
})

test('keys: a legend on ?, ways through the site, and a switch for those who speak to the machine', async ({
  member,
}) => {
  const { page, id } = await member('Ann')
  await write(page, 'a post')
  // Two keys in a row are two within a moment, however slow this machine is.
  await page.clock.setFixedTime(new Date())
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('?')
  const legend = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(legend.getByRole('region', { name: 'Posts' })).toContainText('Next post')
  await expect(legend.getByRole('region', { name: 'Everywhere' })).toContainText('Search users')
  await expectAccessible(page)
  await page.keyboard.press('n')
  await expect(page).toHaveURL('/')
  await page.keyboard.press('Escape')
  await expect(legend).toHaveCount(0)

  await page.keyboard.press('/')
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
  // The address changes before the page does.
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

for (const [lang, width] of [
  ['en', 320],
  ['ja', 390],
  ['ja', 1440],
] as const)
  test(`${lang}, ${width} px: the new pages fit`, async ({ member }) => {
    const { page, id } = await member('Wolfeschlegelsteinhausenbergerdorff Featherstonehaugh', { lang })
    const { post } = await write(
      page,
      'https://a.very.long.example/address-that-does-not-break-anywhere-at-all-because-it-is-one-word',
    )
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme: width === 390 ? 'dark' : 'light' })
    for (const path of [`/people/${id}`, `/posts/${post.id}`, '/']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectNoSidewaysScroll(page)
      // On the list the bar lies over whichever button the fold happens to cut.
      expect(await violationsOn(page, { without: path === '/' ? ['target-size'] : [] })).toEqual([])
    }
  })

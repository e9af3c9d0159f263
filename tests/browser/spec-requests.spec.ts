import { follow } from './chat-helpers.ts'
import { expect, fetchJson, PASSWORD, pictureFile, test, writePost } from './fixture.ts'
import { alertWith, errorNotice, postForm, recordRequests, successNotice } from './spec-helpers.ts'

// spec: 1.3, 2.1, 2.2, 2.3, 2.5, 4.4
test('a post shows its author’s image and name, its body and images, a heart and how many like it', async ({
  member,
}) => {
  const [ann, ben] = [await member('Ann'), await member('Ben')]
  await postForm(ann.page, '/api/profile-image', await pictureFile('face'), 'image')
  const { post } = await postForm(ann.page, '/api/posts', await pictureFile('river'), 'images[]', {
    text: 'The river today',
  })
  await fetchJson(ann.page, 'PUT', `/api/posts/${post.id}/like`)
  await follow(ben, ann)
  const { page } = ben
  const card = page.locator(`[data-post="${post.id}"]`)
  const like = card.getByRole('button', { name: /^Like/ })
  const expectPost = async (likes: string, isLiked: boolean) => {
    await expect(card.locator('.post-header img')).toHaveAttribute('src', /^\/media\//)
    await expect(card.locator('.post-header .name')).toHaveText('Ann')
    await expect(card).toContainText('The river today')
    await expect(card.locator('.picture img')).toHaveCount(1)
    await expect(card.locator('time')).toHaveText('just now')
    await expectLikes(likes, isLiked)
  }
  const expectLikes = async (likes: string, isLiked: boolean) => {
    await expect(card.locator('.like-count .count')).toHaveText(likes)
    await expect(like).toHaveAttribute('aria-pressed', `${isLiked}`)
    await expect(like.locator('.filled')).toHaveCSS(
      'clip-path',
      isLiked ? 'inset(-10% 0px 0px)' : 'inset(100% 0px 0px)',
    )
  }
  const answerTo = (method: string) =>
    page.waitForResponse((answer) => answer.request().method() === method && answer.url().endsWith('/like'))
  await page.goto('/')
  await expectPost('1', false)
  const liked = answerTo('PUT')
  await like.click()
  await expectLikes('2', true)
  await liked

  await page.getByRole('link', { name: 'Posts', exact: true }).first().click()
  await expect(page).toHaveURL('/followingpostlist')
  await expectPost('2', true)
  const undone = answerTo('DELETE')
  await like.click()
  await expectLikes('1', false)
  await undone

  await page.goto('/postlist')
  await expectPost('1', false)
})

// spec: 1.4, 4.3
test('after a like is sent, the list is fetched again', async ({ member }) => {
  const [ann, ben] = [await member('Ann'), await member('Ben')]
  const [one, two] = [(await writePost(ann.page, 'one')).post, (await writePost(ann.page, 'two')).post]
  const { page } = ben
  // Blocks the page's WebSocket, so that the list can learn of other people's likes only by requesting posts
  // again.
  await page.routeWebSocket(/\/app\//, () => {})
  await page.goto('/')
  const like = (id: number) => page.locator(`[data-post="${id}"]`).getByRole('button', { name: /^Like/ })
  await expect(like(one.id)).toHaveAttribute('aria-pressed', 'false')
  await fetchJson(ann.page, 'PUT', `/api/posts/${two.id}/like`)
  const calls = recordRequests(page, /^\/api\/posts/)
  await like(one.id).click()
  await expect(page.locator(`[data-post="${two.id}"]`).getByRole('button', { name: '1 like' })).toBeVisible()
  expect(calls).toEqual([`PUT /api/posts/${one.id}/like`, 'GET /api/posts'])
})

// spec: 2.8, 2.9, 3.8, 5.3, 5.4, 5.5, 5.8, 7.2, 7.3, 7.4, 7.5, 8.9
test('empty log-in and registration forms go to the server, after the request for the cookie; registration sends four fields, and shows each field’s first error, and success in green', async ({
  page,
}) => {
  const calls = recordRequests(page, /^\/(api\/register|login|sanctum)/)
  await page.goto('/login')
  calls.length = 0
  await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(errorNotice(page)).toHaveText('Login failed.')
  expect(calls).toEqual(['GET /sanctum/csrf-cookie', 'POST /login'])
  await page.goto('/register')
  calls.length = 0
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByText('The email field is required.')).toBeVisible()
  await expect(page.getByText('The password field is required.')).toBeVisible()
  expect(calls).toEqual(['GET /sanctum/csrf-cookie', 'POST /api/register'])

  const errors = {
    email: ['First of the email.', 'Second of the email.'],
    password: ['First of the password.', 'Second of the password.'],
  }
  const refuse = { status: 422, json: { message: 'First of the email.', errors } }
  await page.route('**/api/register', (route) => route.fulfill(refuse), { times: 1 })
  await page.getByLabel('User name').fill('Ann')
  await page.getByLabel('Email address').fill('ann.in.green@engawa.example')
  await page.getByLabel('Password').fill(PASSWORD)
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
    password: PASSWORD,
    password_confirmation: PASSWORD,
  })
  expect(await request.headerValue('x-xsrf-token')).toBeTruthy()
  const { message } = await (await request.response())!.json()
  await expect(successNotice(page)).toHaveText(message)
  const [red, green, blue] = await successNotice(page).evaluate((element) => {
    const context = document.createElement('canvas').getContext('2d')!
    context.fillStyle = getComputedStyle(element).color
    context.fillRect(0, 0, 1, 1)
    return [...context.getImageData(0, 0, 1, 1).data]
  })
  expect(green).toBeGreaterThan(Math.max(red!, blue!))
})

// spec: 1.2, 2.6, 5.1, 5.2, 7.13, 9.1
test('of six pictures, four are sent with the text', async ({ member }) => {
  const { page } = await member('Ann')
  await page.goto('/post')
  const input = page.locator('input[type=file]')
  await expect(input).toHaveAttribute('multiple')
  await expect(input).toHaveAttribute('accept', 'image/*')
  await page.getByLabel('Text of the post').fill('Four of six')
  await input.setInputFiles(
    await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => pictureFile(name))),
  )
  await expect(page.locator('.tile')).toHaveCount(4)
  const answered = page.waitForResponse(
    (response) => response.url().endsWith('/api/posts') && response.request().method() === 'POST',
  )
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  const { post } = await (await answered).json()
  expect(post.body).toBe('Four of six')
  expect(post.images).toHaveLength(4)
})

// spec: 6.1, 8.5, 8.6, 8.7, 8.8
test('an expired session shows an alert on posting, following, liking, in the user list and a chat', async ({
  admin,
  member,
}) => {
  const [ann, ben] = [await admin('Ann'), await member('Ben Goes')]
  const { post } = await writePost(ben.page, 'A post to like')
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
    await expect(alertWith(page, 'Please log in.').last(), `${path} ${url}`).toBeVisible()
    await page.unrouteAll()
  }
})

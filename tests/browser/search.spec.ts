import type { Page } from '@playwright/test'
import { annAndBen, follow, pressWhileConverting, sendMessage } from './chat-helpers.ts'
import { expect, expectAccessible, fetchJson, PASSWORD, pictureFile, test, writePost } from './fixture.ts'

const unusual = (word: string) => `${word}${crypto.randomUUID().slice(0, 8)}`
const box = (page: Page) =>
  page.getByRole('searchbox', { name: /^(Words, names, files|言葉、名前、ファイル名)$/ })
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const hits = (page: Page) => page.locator('main a.hit')

async function groupWith(who: Page, name: string, ...ids: readonly number[]) {
  const { group } = await fetchJson(who, 'POST', '/api/groups', { name })
  for (const user_id of ids) await fetchJson(who, 'POST', `/api/groups/${group.id}/add-user`, { user_id })
  return group.id as number
}
const writeToGroup = (page: Page, group_id: number, message: string) =>
  fetchJson(page, 'POST', '/api/group-messages/send', { group_id, message })

test('a Japanese word finds posts, replies and messages while it is typed, and each leads to its place', async ({
  member,
}) => {
  const word = unusual('琥珀')
  const { ann, ben } = await annAndBen(member)
  const { page } = ann
  const { post } = await writePost(page, `川沿いの${word}の提灯は、今年も三百個あります。`)
  const { reply } = await fetchJson(ben.page, 'POST', `/api/posts/${post.id}/replies`, {
    text: `去年の${word}も残っています。`,
  })
  for (let n = 0; n < 25; n++)
    await fetchJson(ben.page, 'POST', `/api/posts/${post.id}/replies`, { text: `はい ${n}` })
  const { message } = await sendMessage(ben, ann, `${word}は倉庫の奥にあります。`)
  for (let n = 0; n < 60; n++) await sendMessage(ben, ann, `その後 ${n}`)

  await page.goto('/')
  await page.locator('article[data-post]').first().waitFor()
  await page.keyboard.press('/')
  await expect(page).toHaveURL('/search')
  await expect(box(page)).toBeFocused()
  await page.keyboard.type(word)
  await expect(hits(page)).toHaveCount(3)
  await expect(page).toHaveURL(`/search?q=${encodeURIComponent(word)}`)
  await expect(hits(page).locator('mark')).toHaveText([word, word, word])
  await expect(page.getByRole('status').filter({ hasText: '3 results' })).toHaveCount(1)
  await expectAccessible(page)

  await page.keyboard.press('ArrowDown')
  await expect(hits(page).first()).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(box(page)).toBeFocused()
  for (const key of ['ArrowDown', 'ArrowDown', 'Escape']) await page.keyboard.press(key)
  await expect(box(page)).toBeFocused()
  await section(page, 'Messages').getByRole('link', { name: word }).click()
  await expect(page).toHaveURL(`/privatechat/${ben.id}?message=${message.id}`)
  const shown = page.locator('main [data-highlighted]')
  await expect(shown).toContainText(`${word}は倉庫の奥にあります。`)
  await expect(shown).toBeInViewport()
  await page.goBack()
  await expect(box(page)).toHaveValue(word)
  await section(page, 'Replies').getByRole('link', { name: word }).click()
  await expect(page).toHaveURL(`/posts/${post.id}?reply=${reply.id}`)
  await expect(shown).toContainText(`去年の${word}も残っています。`)
  await expect(shown).toBeInViewport()
  await page.goBack()
  await section(page, 'Posts').getByRole('link', { name: word }).click()
  await expect(page).toHaveURL(`/posts/${post.id}`)

  await page.goto(`/people/${ben.id}`)
  await page.locator('.profile').getByRole('button', { name: 'More about Ben' }).click()
  await page.getByRole('link', { name: 'Search here' }).click()
  await expect(page.getByRole('button', { name: 'Remove Ben’s posts and chat' })).toBeVisible()
  await page.keyboard.type(word)
  await expect(hits(page)).toHaveCount(2)
})

test('chips narrow the search down; what finds nothing says which one to remove, and offers a near spelling', async ({
  member,
}) => {
  const word = unusual('lantern')
  const { ann, ben } = await annAndBen(member)
  const { page } = ann
  await writePost(page, `Paper for ${word}s`)
  await writePost(ben.page, `${word}s are ready`)
  await page.goto(`/search?q=${word}`)
  await expect(hits(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'From', exact: true }).click()
  await page.getByRole('button', { name: 'Me', exact: true }).click()
  await expect(hits(page)).toHaveText([/Paper for/])
  await expect(page).toHaveURL(`/search?q=${word}%20from%3Ame`)
  await expect(page.getByRole('button', { name: 'From', exact: true })).toBeFocused()

  await page.getByRole('button', { name: 'With', exact: true }).click()
  await page.getByRole('button', { name: 'Poll', exact: true }).click()
  await expect(page.getByRole('heading', { name: `Nothing found for “${word}”` })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove “With a poll”' }).click()
  await expect(hits(page)).toHaveText([/Paper for/])
  await page.getByRole('button', { name: 'Remove From you' }).click()
  await expect(hits(page)).toHaveCount(2)
  await page.goBack()
  await expect(hits(page)).toHaveText([/Paper for/])
  await page.goForward()
  await expect(hits(page)).toHaveCount(2)

  await page.getByRole('button', { name: 'Time', exact: true }).click()
  await page.getByRole('button', { name: 'Yesterday', exact: true }).click()
  await expect(hits(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Time', exact: true }).click()
  await page.getByRole('button', { name: 'Today', exact: true }).click()
  await expect(hits(page)).toHaveCount(2)
  await expect(page.getByRole('button', { name: /^Remove/ })).toHaveText(['Today'])
  await page.reload()
  await expect(page.getByRole('button', { name: 'Remove Today' })).toBeVisible()
  await expect(hits(page)).toHaveCount(2)

  // An unfinished operator is no failure, and a finished one becomes a chip with Enter.
  await box(page).fill(`${word} has:pai`)
  await expect(page.getByText('After “has:”, write picture, file, link, poll or voice.')).toBeVisible()
  await expect(hits(page)).toHaveCount(2)
  await box(page).fill(`${word} from:me`)
  await box(page).press('Enter')
  await expect(box(page)).toHaveValue(word)
  await expect(hits(page)).toHaveText([/Paper for/])

  await page.goto(`/search?q=${word}zs`)
  await page.getByRole('button', { name: word }).click()
  await expect(box(page)).toHaveValue(new RegExp(word))
  await expect(hits(page)).toHaveCount(2)
})

test('the menu of a group opens the search inside, which one tap opens to everything; all rows of one kind come in pages', async ({
  admin,
  member,
}) => {
  const word = unusual('kiln')
  const name = unusual('Pottery')
  const ann = await admin('Ann')
  const ben = await member('Ben')
  await follow(ann, ben)
  await follow(ben, ann)
  const { page } = ann
  const group = await groupWith(page, name, ben.id)
  for (let n = 0; n < 22; n++) await writeToGroup(ben.page, group, `${word} at ${n}`)
  await sendMessage(ben, ann, `The ${word} again`)

  await page.goto(`/group-chat/${group}`)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('link', { name: 'Search here' }).click()
  await expect(page).toHaveURL(`/search?in=group:${group}`)
  await expect(page.getByRole('button', { name: `Remove In ${name}` })).toBeVisible()
  await expect(box(page)).toBeFocused()
  await page.keyboard.type(word)
  await expect(section(page, 'Messages').locator('a.hit')).toHaveCount(4)
  await page.getByRole('link', { name: 'Show all messages' }).click()
  await expect(page).toHaveURL(`/search?q=${word}&in=group:${group}&kind=message`)
  await expect(hits(page)).toHaveCount(20)
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect(hits(page)).toHaveCount(22)
  await expect(page.getByRole('button', { name: 'Load more' })).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'All results' }).click()
  await page.getByRole('button', { name: `Remove In ${name}` }).click()
  await expect(page).toHaveURL(`/search?q=${word}`)
  await box(page).fill(`${word} again`)
  await expect(hits(page)).toHaveText([/The/])

  // Inside of the group, it is not found, and the page says so.
  await page.getByRole('button', { name: 'In', exact: true }).click()
  await page.getByRole('searchbox', { name: 'Group or person' }).fill(name)
  await page.getByRole('button', { name }).click()
  await page.getByRole('button', { name: 'Search everywhere' }).click()
  await expect(hits(page)).toHaveText([/The/])
})

test('recent searches are on the device until the log-out; Esc clears, but not during a conversion', async ({
  member,
}) => {
  const word = unusual('persimmon')
  const { page, id, email } = await member('Ann')
  await writePost(page, `A ${word} for each`)
  await page.goto('/search')
  await box(page).fill(word)
  await expect(hits(page)).toHaveCount(1)
  await pressWhileConverting(box(page), 'Escape')
  await expect(box(page)).toHaveValue(word)
  await hits(page).click()
  await expect(page).toHaveURL(/\/posts\/\d+/)
  await page.goBack()
  await box(page).press('Escape')
  await expect(box(page)).toHaveValue('')
  await expect(page).toHaveURL('/search')
  const recent = section(page, 'Recent searches')
  await expect(recent.getByRole('button', { name: word, exact: true })).toBeVisible()
  await expectAccessible(page)
  await recent.getByRole('button', { name: word, exact: true }).click()
  await expect(hits(page)).toHaveCount(1)
  expect(await page.evaluate((key) => localStorage.getItem(key), `engawa:searches:${id}`)).toContain(word)

  await page.goto('/logout')
  await expect(page.getByText('Log out successful.')).toBeVisible()
  expect(await page.evaluate((key) => localStorage.getItem(key), `engawa:searches:${id}`)).toBeNull()
  // Otherwise an answer to the page could change the token meanwhile.
  await page.goto('about:blank')
  await fetchJson(page, 'POST', '/login', { email, password: PASSWORD })
  await page.goto('/search')
  await expect(page.getByRole('heading', { name: 'What are you looking for?' })).toBeVisible()
  await expect(recent).toHaveCount(0)
})

test('visitors search what everyone may read, without the filters of members', async ({ member, page }) => {
  const word = unusual('ferry')
  const { page: own } = await member('Ann')
  await writePost(own, `The ${word} leaves at nine`)
  await fetchJson(own, 'POST', '/api/posts', { text: `The ${word} for members`, audience: 'members' })
  await page.goto('/')
  await page.locator('.top-bar').getByRole('link', { name: 'Search', exact: true }).click()
  await expect(box(page)).toBeFocused()
  await page.keyboard.type(word)
  await expect(hits(page)).toHaveText([/leaves at nine/])
  await expect(page.getByRole('group', { name: 'Narrow down' }).getByRole('button')).toHaveText([
    'With',
    'Time',
  ])
  await expectAccessible(page)
})

test('all pictures, files and links of a group are on a page, and lead to their places', async ({
  admin,
  member,
}) => {
  const name = unusual('Weavers')
  const { page } = await admin('Ann')
  const ben = await member('Ben')
  const group = await groupWith(page, name, ben.id)
  const send = async (
    fields: Record<string, string | { name: string; mimeType: string; buffer: Buffer }>,
  ) => {
    const token = (await ben.page.context().cookies()).find(({ name }) => name === 'XSRF-TOKEN')!.value
    const answer = await ben.page.request.post('/api/group-messages/send', {
      multipart: { group_id: group, message: '', ...fields },
      headers: { 'x-xsrf-token': decodeURIComponent(token), accept: 'application/json' },
    })
    expect(answer.status(), await answer.text()).toBeLessThan(300)
    return (await answer.json()).message.id as number
  }
  const list = { name: '名簿.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b') }
  const withFile = await send({ 'files[]': list })
  const withPicture = await send({ 'images[]': await pictureFile('loom') })
  await send({ 'images[]': await pictureFile('yarn') })
  await writeToGroup(ben.page, group, 'Patterns: https://loom.example/patterns')

  await page.goto(`/group-chat/${group}`)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('link', { name: 'Pictures, files and links' }).click()
  await expect(page.getByRole('link', { name })).toHaveAttribute('href', `/group-chat/${group}`)
  const pictures = page.locator('.picture-grid button')
  await expect(pictures).toHaveCount(2)
  await expectAccessible(page)
  await pictures.last().click()
  const viewer = page.getByRole('dialog', { name: 'Pictures' })
  await expect(viewer).toContainText('2 of 2')
  await page.keyboard.press('Escape')
  await expect(pictures.last()).toBeFocused()

  const tabs = page.getByRole('navigation', { name: 'Kinds' })
  await tabs.getByRole('link', { name: 'Files' }).click()
  await expect(page.getByRole('link', { name: 'Download 名簿.csv' }).last()).toBeVisible()
  await expectAccessible(page)
  const origin = page.locator('main').getByRole('link', { name: /^Ben/ })
  await expect(origin).toHaveAttribute('href', `/group-chat/${group}?message=${withFile}`)
  await tabs.getByRole('link', { name: 'Links' }).click()
  await expect(page.getByRole('link', { name: 'loom.example/patterns' })).toBeVisible()
  await tabs.getByRole('link', { name: 'Pictures' }).click()
  await pictures.last().click()
  await viewer.getByRole('button', { name: 'Show where it was shared' }).click()
  await expect(page).toHaveURL(`/group-chat/${group}?message=${withPicture}`)
  await page.goBack()
  await expect(pictures).toHaveCount(2)
})

test('keys that are pressed before the page of the search is there are not lost', async ({ member }) => {
  const { page } = await member('Ann')
  await page.goto('/')
  await page.getByRole('link', { name: 'Search', exact: true }).first().waitFor()
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await promise
    await route.continue()
  })
  await page.keyboard.press('/')
  await page.keyboard.type('notice of the kiln')
  resolve()
  await expect(box(page)).toHaveValue('notice of the kiln')
  await expect(box(page)).toBeFocused()
  await expect(page).toHaveURL('/search?q=notice%20of%20the%20kiln')
})

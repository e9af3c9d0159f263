import type { Page } from '@playwright/test'

// Functions that fake responses of the server, so that browser tests and screenshots can show rare states of
// pages.

/**
 * Returns a step that fakes the response of an API path, and reloads the page, so that it shows `json`. The
 * HTML may already contain the server's answer for this path; the step empties the `url` of that answer, so
 * that the page does not use it and requests the path.
 */
export const fakeAnswer = (path: string, json: unknown) => async (page: Page) => {
  await page.route(`**${path}`, (route) => route.fulfill({ json }))
  await page.route(page.url().split('#')[0]!, async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(`"url":"${path}"`, '"url":""')
    await route.fulfill({ response, body })
  })
  await page.reload()
}

/**
 * Returns a step that fakes a list of passkeys with these names, and reloads the page, which must be
 * /account.
 */
export const fakePasskeys = (names: readonly string[]) => (page: Page) => {
  const times = { created_at: '2026-11-01T09:00:00.000Z', last_used_at: '2026-11-20T09:00:00.000Z' }
  return fakeAnswer('/api/account/passkeys', {
    origin: new URL(page.url()).origin,
    passkeys: names.map((name, index) => ({ id: index + 1, name, ...times })),
  })(page)
}

const reloadWithPeople = (path: string, time: 'blocked_at' | 'muted_at', names: readonly string[]) =>
  fakeAnswer(
    path,
    names.map((name, index) => ({
      id: index + 1,
      name,
      profile_image: null,
      [time]: '2026-11-20T09:00:00.000Z',
    })),
  )

/**
 * Returns a step that fakes a list of blocked people with these names, and reloads the page, which must be
 * /account.
 */
export const fakeBlocked = (names: readonly string[]) =>
  reloadWithPeople('/api/account/blocks', 'blocked_at', names)

/**
 * Returns a step that fakes a list of muted people with these names, and reloads the page, which must be
 * /account.
 */
export const fakeMuted = (names: readonly string[]) =>
  reloadWithPeople('/api/account/mutes', 'muted_at', names)

/**
 * Reloads the log-in page with changed initial data in its HTML, so that it looks as in a community for
 * members only.
 */
export async function fakeMembersOnly(page: Page) {
  await page.route('**/login', async (route) => {
    const body = await (await route.fetch()).text()
    const contentType = 'text/html; charset=utf-8'
    await route.fulfill({ contentType, body: body.replace('"membersOnly":false', '"membersOnly":true') })
  })
  await page.reload()
  await page.getByText(/Only members can read|メンバーだけです/).waitFor()
}

/**
 * Fakes two invitations that the member has created, one of which is paused, and reloads the page, which must
 * be /invitations.
 */
export async function fakeInvitations(page: Page) {
  const times = { created_at: '2026-11-20T09:00:00.000Z', expires_at: '2099-11-29T09:00:00.000Z' }
  const invitation = {
    id: 1,
    max_uses: 1,
    uses: 0,
    created_by: null,
    group_id: null,
    is_used_up: false,
    ...times,
  }
  const invitations = [
    { ...invitation, id: 2, note: '陶芸教室の友だち', is_open: true, is_paused: false },
    { ...invitation, note: null, max_uses: 10, uses: 3, is_open: false, is_paused: true },
  ]
  await page.route('**/api/invitations', (route) =>
    route.fulfill({ json: { may_invite: true, invitations } }),
  )
  await page.reload()
  await page.locator('.invitation-form').waitFor()
}

/**
 * Reloads the page with changed initial data in its HTML, so that it looks as if the settings let members
 * create groups.
 */
export const fakeGroupCreation = (page: Page) =>
  reloadWithChangedHtml(page, (html) =>
    html.replace('"membersOnly":', '"membersCreateGroups":true,"membersOnly":'),
  )

/**
 * Returns the id of the current user from the initial data of the page, or 0 for a visitor. The browser runs
 * this function.
 */
function readOwnId() {
  const { initialAnswers } = JSON.parse(document.getElementById('boot')!.textContent!) as {
    initialAnswers: { url: string; body: { id?: number } | null }[]
  }
  return initialAnswers.find(({ url }) => url === '/api/user')?.body?.id ?? 0
}

/**
 * Reloads the page with changed initial data in its HTML and faked responses, so that it shows a preview of a
 * link below each post, reply and message. The viewer can remove the previews below those with odd ids.
 */
export async function fakePreviews(page: Page) {
  const preview = {
    user_id: await page.evaluate(readOwnId),
    url: 'https://town.example/lanterns',
    host: 'town.example',
    site: '露野町役場 Town of Tsuyuno',
    title: 'The evening of a thousand paper lanterns at the river: how to get there, and what to bring',
    description:
      '今年の灯り祭りは土曜の午後6時から、橋の下で始まります。雨の場合は日曜に延期します。ろうそくは会場で配ります。紙の灯籠を持っていない人には、公民館で作り方を教えます。小さな子どもは、必ず大人と一緒に来てください。',
  }
  await page.route('**/api/link-previews?*', (route) => {
    const { searchParams } = new URL(route.request().url())
    const toPreviews = (name: string) =>
      Object.fromEntries(
        (searchParams.get(name) ?? '')
          .split(',')
          .filter(Boolean)
          .map((id) => [
            id,
            Number(id) % 2 ? preview : { ...preview, user_id: 0, site: null, description: null },
          ]),
      )
    const [posts, replies, messages] = ['posts', 'replies', 'messages'].map(toPreviews)
    return route.fulfill({ json: { posts, replies, messages } })
  })
  await reloadWithChangedHtml(page, (html) =>
    html.replace('"membersOnly":', '"linkPreviews":true,"membersOnly":'),
  )
  await page.locator('.link-preview').first().waitFor()
}

/**
 * Reloads the page of a group with changed initial data in its HTML, so that slow mode seems to be on, and
 * the member has to wait before the next message.
 */
export async function fakeSlowMode(page: Page) {
  await reloadWithChangedHtml(page, (html) =>
    html.replace(/"is_new":(true|false)/, '$&,"slow_mode_seconds":300,"slow_mode_wait":252'),
  )
  await page.locator('.slow-mode').waitFor()
}

/**
 * Reloads the page of a group with changed initial data in its HTML, so that all groups have a picture, and
 * this one also has a description. All groups show the same picture: the first profile picture in the HTML.
 */
export async function fakeGroupDetails(page: Page) {
  await reloadWithChangedHtml(page, (html) => {
    const picture = /"profile_image":("[^"]+")/.exec(html)?.[1] ?? '""'
    return html
      .replace(/"is_new":(true|false)/, `$&,"picture":${picture},"description":"土曜の午後に集まります。"`)
      .replace(/"members_count":\d+,"last_message"/g, `"picture":${picture},$&`)
  })
  await page.locator('.conversation .page-header .avatar.group').waitFor()
}

/**
 * Reloads the page of a group with faked responses, so that its first two messages are pinned, and the last
 * one is forwarded.
 */
export async function fakePins(page: Page) {
  const group = /\d+$/.exec(page.url())![0]
  const get = async (path: string) => (await page.request.get(path)).json()
  const messages: {
    id: number
    message: string
    created_at: string
    user: object
    deleted_at: string | null
  }[] = (await get(`/api/group-messages/${group}`)).filter(({ message }: { message: string }) => message)
  const pins = messages.slice(0, 2).map(({ id, message: text, created_at: pinned_at, user }) => ({
    ...{ id, user, text, images_count: 0, pinned_at, pinned_by: messages[1]!.user },
  }))
  const forwarded = { from: messages[0]!.user }
  await page.route(`**/api/groups/${group}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), pins } })
  })
  await page.route(`**/api/group-messages/${group}*`, async (route) => {
    const response = await route.fetch()
    const rows: object[] = await response.json()
    await route.fulfill({ response, json: [...rows.slice(0, -1), { ...rows.at(-1), forwarded }] })
  })
  await reloadWithChangedHtml(page, (html) =>
    // Empties the `url` of the initial data about the group, so that the page does not use this data and
    // requests it.
    html
      .replaceAll(`"url":"/api/groups/${group}"`, '"url":""')
      .replaceAll(/"url":"\/api\/group-messages[^"]*"/g, '"url":""'),
  )
  await page.locator('.pinned-bar').waitFor()
  await page.locator('.forwarded-mark').waitFor()
}

async function reloadWithChangedHtml(page: Page, change: (html: string) => string) {
  await page.route(page.url(), async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: change(await response.text()) })
  })
  await page.reload()
}

/**
 * Opens the set-up page, and sends its form. The responses about the set-up and the registration are
 * faked, so that the page shows the admin the first invitation.
 */
export async function fakeSetup(page: Page) {
  await page.route('**/api/setup?*', (route) => route.fulfill({ json: { state: 'open' } }))
  const json = { message: 'Registration successful.', user: {} }
  await page.route('**/api/register', (route) => route.fulfill({ status: 201, json }))
  await page.goto('/setup?code=x')
  await page.locator('main form button[type=submit]').click()
  await page.locator('.qr-code').first().waitFor()
}

// The part of the service worker that shows push messages, and does what the member clicks in them.

const texts = {
  en: { reply: 'Reply', like: 'Like', read: 'Mark as read' },
  ja: { reply: '返信', like: 'いいね', read: '既読にする' },
}

const listWindows = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true })
const showsPath = (window, path) => new URL(window.url).pathname === path

/**
 * Shows a push message, unless the member looks at its page at this moment. The path may name a message or
 * reply of the page, as in `/group-chat/3?message=12`.
 */
async function show({ title, body, tag, lang, data }) {
  const windows = await listWindows()
  const [page] = data.path.split('?')
  if (windows.some((window) => window.focused && showsPath(window, page))) return
  const t = texts[lang] ?? texts.en
  const type = 'reply' in NotificationEvent.prototype ? 'text' : 'button'
  const actions = [
    ...(data.reply ? [{ action: 'reply', title: t.reply, type }] : []),
    ...(data.like ? [{ action: 'like', title: t.like }] : []),
    ...(data.read ? [{ action: 'read', title: t.read }] : []),
  ]
  await self.registration.showNotification(title, {
    body,
    tag,
    lang,
    data,
    actions,
    renotify: true,
    icon: '/icon-192.png',
    timestamp: Date.now(),
  })
}

/** Returns whether this member is logged in now. On a shared device, it may be another member. */
async function isLoggedIn(member) {
  const response = await fetch('/api/user', { headers: { accept: 'application/json' }, cache: 'no-store' })
  return response.ok && (await response.json()).id === member
}

/**
 * Makes the API call of a button for `member`, with the session of the browser. Fails if `member` is not
 * logged in, and in browsers without `cookieStore`.
 */
async function callApi(member, { method, path, body }) {
  if (!(await isLoggedIn(member))) throw new Error('The member is not logged in')
  const token = await self.cookieStore?.get('XSRF-TOKEN')
  const response = await fetch(path, {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'x-xsrf-token': decodeURIComponent(token?.value ?? ''),
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`Status ${response.status}`)
}

/** Focuses the window that shows the page already, or else opens the page in a new window. */
async function openPage(path) {
  const shown = (await listWindows()).find((window) => showsPath(window, path))
  await (shown ? shown.focus() : self.clients.openWindow(path))
}

self.addEventListener('push', (event) => {
  const { notification } = event.data.json()
  event.waitUntil(show(notification))
})

self.addEventListener('notificationclick', (event) => {
  const { action, notification } = event
  const { member, path, read, like, reply } = notification.data
  notification.close()
  const call =
    action === 'reply' && event.reply
      ? { ...reply, body: { ...reply.body, [reply.field]: event.reply } }
      : { read, like }[action]
  // If the call fails, opens the page instead, so that the member can do the same there.
  event.waitUntil(call ? callApi(member, call).catch(() => openPage(path)) : openPage(path))
})

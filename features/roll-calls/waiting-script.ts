/**
 * The outbox of the page without the app: an answer that finds no signal is kept in the browser, and sent
 * again when there is some. Without scripts, the form is sent as it is.
 */
export const waitingScript = `'use strict';(() => {
const key = location.pathname, note = () => document.getElementById('waits')
const keep = (body) => { try { body ? localStorage.setItem(key, body) : localStorage.removeItem(key) } catch {} }
let waiting = null, timer
try { waiting = localStorage.getItem(key) } catch {}
async function send() {
  clearTimeout(timer)
  if (!waiting) return
  const body = waiting, params = new URLSearchParams(body), { failed, waits } = document.querySelector('form').dataset
  params.set('waited', Math.max(0, Math.round((Date.now() - (params.get('at') || Date.now())) / 1000)))
  params.delete('at')
  try {
    const answer = await window.fetch(location.href, { method: 'POST', body: params })
    if (answer.status >= 500 || answer.status === 429) throw 0
    if (waiting !== body) return send()
    keep(waiting = null)
    if (!answer.ok) { note().textContent = failed; return }
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    document.querySelector('main').replaceWith(page.querySelector('main'))
    scrollTo(0, 0)
    bind()
  } catch { note().textContent = waits; timer = setTimeout(send, 10000) }
}
function bind() {
  document.querySelector('form')?.addEventListener('submit', (event) => {
    event.preventDefault()
    const given = new URLSearchParams(new FormData(event.target, event.submitter))
    given.set('at', Date.now())
    keep(waiting = given.toString())
    void send()
  })
}
addEventListener('online', send)
bind()
void send()
})()`

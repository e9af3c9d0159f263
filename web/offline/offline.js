// The script of the offline page. It applies the language and the theme of the reader, and loads the page
// again when the browser is online.

const readCookie = (name) => new RegExp(`(?:^|; )${name}=(\\w+)`).exec(document.cookie)?.[1]

const root = document.documentElement
const chosen = readCookie('lang') ?? navigator.language.slice(0, 2)
const lang = chosen === 'ja' ? 'ja' : 'en'
root.lang = lang
root.dataset.lang = lang
document.title = lang === 'ja' ? 'オフライン' : 'Offline'

const theme = readCookie('theme')
if (theme) root.dataset.theme = theme

addEventListener('online', () => location.reload())

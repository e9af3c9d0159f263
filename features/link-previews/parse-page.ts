import { Parser } from 'htmlparser2'
import { cleanText } from './clean-text.ts'

export interface PageContent {
  site_name: string | null
  title: string
  description: string | null
}

/** Characters. */
const limits = { site_name: 60, title: 160, description: 300 }
/** Elements in the head of a page or before it. Any other element begins the body. */
const headElements = new Set(
  'base head html iframe img link meta noscript script style template title'.split(' '),
)
/** They may contain elements of the head. Only the first `MAX_CONTAINERS` of them are read. */
const containers = new Set(['head', 'html', 'noscript', 'template'])
const MAX_CONTAINERS = 50

/**
 * The first text for each name of `<meta name>` and `<meta property>`, and for `title`. Stops at the body.
 */
function readHead(html: string) {
  const found = new Map<string, string>()
  let isInTitle = false
  let title = ''
  let openedContainers = 0
  const addFirst = (name: string | undefined, text: string | undefined) => {
    const key = name?.trim().toLowerCase()
    if (key && text?.trim() && !found.has(key)) found.set(key, text)
  }
  const parser = new Parser({
    onopentag(name, { name: metaName, property, content }) {
      const isSurplus = containers.has(name) && ++openedContainers > MAX_CONTAINERS
      if (isSurplus || !headElements.has(name)) return parser.pause()
      if (name === 'title') isInTitle = true
      if (name !== 'meta') return
      addFirst(property, content)
      addFirst(metaName, content)
    },
    ontext(text) {
      if (isInTitle) title += text
    },
    onclosetag(name) {
      if (name !== 'title' || !isInTitle) return
      isInTitle = false
      addFirst('title', title)
      title = ''
    },
  })
  parser.write(html)
  return found
}

/** Robots rules may forbid to show a part of the page’s text beside a link. */
const forbidsSnippet = (rules: readonly (string | undefined)[]) =>
  rules.some((rule) => /(^|[\s,:])(nosnippet|max-snippet\s*:\s*0)(?=$|[\s,])/i.test(rule ?? ''))

/**
 * Null without a title. No description if the page or the header `X-Robots-Tag` asks for that (`nosnippet`).
 */
export function parsePage(html: string, robotsHeader = ''): PageContent | null {
  const head = readHead(html)
  const findText = (max: number, ...names: string[]) => {
    for (const name of names) {
      const text = cleanText(head.get(name), max)
      if (text !== null) return text
    }
    return null
  }
  const title = findText(limits.title, 'og:title', 'twitter:title', 'title')
  if (title === null) return null
  const description = forbidsSnippet([robotsHeader, head.get('robots')])
    ? null
    : findText(limits.description, 'og:description', 'description', 'twitter:description')
  return { title, description, site_name: findText(limits.site_name, 'og:site_name', 'application-name') }
}

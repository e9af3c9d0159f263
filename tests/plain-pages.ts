import { pageDefinitions } from '#app.ts'

/**
 * The pages that no path of `listed` opens, for a list of screenshots or of test cases: with the one who opens
 * them. A page whose path has parameters is not among them, because a person must choose what it shows.
 */
export function plainPages<W>(
  listed: readonly { path: string }[],
  who: Record<'visitor' | 'member' | 'admin', W>,
) {
  const known = new Set(listed.map(({ path }) => path.split(/[?#]/)[0]!))
  return pageDefinitions
    .filter(({ path }) => !path.includes(':') && !known.has(path))
    .map(({ path, isForVisitors }) => ({
      name: path.slice(1).replaceAll('/', '-') || 'home',
      path,
      who: isForVisitors ? who.visitor : path.startsWith('/admin') ? who.admin : who.member,
    }))
}

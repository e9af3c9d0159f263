import { useLocation } from 'wouter'
import { Layout } from './Layout.tsx'
import { filterOfPath } from './List.tsx'

/** The path of the page decides which filter the list has. */
export default function ListPage() {
  const filter = filterOfPath(useLocation()[0])
  return <Layout key={filter} filter={filter} />
}

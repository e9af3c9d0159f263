import './albums.css'
import { useQuery } from '@tanstack/react-query'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { albumLinkEndpoints } from '../contract.ts'
import { Links } from './Links.tsx'
import { shareText } from './share-text.ts'

/** All links that show albums to people without an account; nothing without one. */
export default function AdminPageSection() {
  const t = useText(shareText)
  const { data = [], refetch } = useQuery({
    queryKey: [albumLinkEndpoints.all.path],
    queryFn: () => callEndpoint(albumLinkEndpoints.all, { limit: 100 }),
  })
  if (!data.length) return null
  return (
    <section className="card album-admin">
      <h2>{t.allLinks}</h2>
      <Links links={data} withTitles onEnded={() => void refetch()} />
    </section>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { AdminLoadError, DashboardLink } from '#features/people/web/RequireAdmin.tsx'
import { callEndpoint } from '#web/api.ts'
import { useLang, useText } from '#web/i18n.ts'
import { findAnswer } from '#web/page-data.ts'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { type AdminSettings, adminEndpoints } from '../contract.ts'
import { AdminLayout } from './AdminLayout.tsx'
import { settingsSections } from './settings-sections.ts'
import { adminText } from './text.ts'
import { settingsKey } from './useSetting.ts'

/** A choice is saved at once; a typed text or colour is saved with a button. */
export default function SettingsPage() {
  return (
    <AdminLayout title={useText(adminText).settings}>
      <DashboardLink />
      <Loaded />
    </AdminLayout>
  )
}

function Loaded() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: settingsKey,
    queryFn: () => callEndpoint(adminEndpoints.settings, {}),
    initialData: () => findAnswer(adminEndpoints.settings)?.body as AdminSettings | undefined,
  })
  if (data) return <SectionList {...data} />
  if (!error) return <LoadingText />
  return <AdminLoadError error={error} pending={isFetching} onRetry={() => refetch()} />
}

function SectionList(state: AdminSettings) {
  const lang = useLang()
  // The browser cannot scroll to the fragment: the settings are rendered after the page has loaded.
  useEffect(() => focusSection(location.hash.slice(1)), [])
  return (
    <div className="settings">
      <nav className="section-index settings-list" aria-label={useText(adminText).sections}>
        <ul>
          {settingsSections.map(({ id, title }) => (
            <li key={id}>
              <a className="link" href={`#${id}`} onClick={() => focusSection(id)}>
                {title[lang]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="settings-sections">
        {settingsSections.map(({ id, title, Content }) => (
          <section key={id} id={id} aria-labelledby={`${id}-title`}>
            <h2 id={`${id}-title`} tabIndex={-1}>
              {title[lang]}
            </h2>
            <div className="cards">
              <Content {...state} />
            </div>
          </section>
        ))}
      </div>
    </div>
  )
}

function focusSection(id: string) {
  const heading = document.getElementById(`${id}-title`)
  heading?.focus({ preventScroll: true })
  heading?.closest('section')?.scrollIntoView()
}

import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { AdminDataLoadError, BackToAdminDashboardLink } from '#features/people/web/RequireAdmin.tsx'
import { callEndpoint } from '#web/api.ts'
import { useLang, useText } from '#web/i18n.ts'
import { findInitialEndpointResponse } from '#web/page-data.ts'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { type AdminCommunitySettingsResponse, adminEndpoints } from '../contract.ts'
import { AdminOnlyPageLayout } from './AdminOnlyPageLayout.tsx'
import { communitySettingsSections } from './settings-sections.ts'
import { adminText } from './text.ts'
import { adminCommunitySettingsQueryKey } from './useCommunitySetting.ts'

/**
 * Renders the page where admins change the settings of the community. A choice is saved at once; a typed text
 * or colour is saved with a button.
 */
export default function SettingsPage() {
  return (
    <AdminOnlyPageLayout title={useText(adminText).settings}>
      <BackToAdminDashboardLink />
      <Loaded />
    </AdminOnlyPageLayout>
  )
}

function Loaded() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: adminCommunitySettingsQueryKey,
    queryFn: () => callEndpoint(adminEndpoints.settings, {}),
    initialData: () =>
      findInitialEndpointResponse(adminEndpoints.settings)?.body as
        | AdminCommunitySettingsResponse
        | undefined,
  })
  if (data) return <SectionList {...data} />
  if (!error) return <LoadingText />
  return <AdminDataLoadError error={error} pending={isFetching} onRetry={() => refetch()} />
}

function SectionList(state: AdminCommunitySettingsResponse) {
  const lang = useLang()
  // Scrolls to the section that the fragment of the URL names. The browser cannot do this, because the
  // settings are rendered after the page has loaded.
  useEffect(() => focusSection(location.hash.slice(1)), [])
  return (
    <div className="settings">
      <nav className="settings-list" aria-label={useText(adminText).sections}>
        <ul>
          {communitySettingsSections.map(({ id, title }) => (
            <li key={id}>
              <a className="link" href={`#${id}`} onClick={() => focusSection(id)}>
                {title[lang]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="settings-sections">
        {communitySettingsSections.map(({ id, title, Content }) => (
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

/** Scrolls to a section of the settings page, and moves the focus to its heading. */
function focusSection(id: string) {
  const heading = document.getElementById(`${id}-title`)
  heading?.focus({ preventScroll: true })
  heading?.closest('section')?.scrollIntoView()
}

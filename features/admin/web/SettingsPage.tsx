import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { AdminLoadError, DashboardLink } from '#features/people/web/RequireAdmin.tsx'
import { callEndpoint } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { findInitialAnswer } from '#web/page-data.ts'
import { Loading } from '#web/ui/Loading.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { samplePageLinksShownStore } from '#web/web-modules.ts'
import { adminEndpoints, type SettingsState } from '../contract.ts'
import { AdminLayout } from './AdminLayout.tsx'
import { adminText } from './text.ts'

/** The page where admins change the settings of the community. Each change is saved at once. */
export default function SettingsPage() {
  return (
    <AdminLayout title={useText(adminText).settings}>
      <DashboardLink />
      <Loaded />
    </AdminLayout>
  )
}

const key = [adminEndpoints.settings.path]

function Loaded() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: key,
    queryFn: () => callEndpoint(adminEndpoints.settings, {}),
    initialData: () => findInitialAnswer(adminEndpoints.settings)?.body as SettingsState | undefined,
  })
  if (data) return <ShowSamples {...data} />
  if (!error) return <Loading />
  return <AdminLoadError error={error} pending={isFetching} onRetry={() => refetch()} />
}

function ShowSamples({ settings, fixed }: SettingsState) {
  const t = useText(adminText)
  const explain = useErrorFormatter()
  const client = useQueryClient()
  const [isChecked, setChecked] = useState(settings.show_samples)
  const { mutate } = useMutation({
    mutationFn: (show_samples: boolean) => callEndpoint(adminEndpoints.saveSettings, { show_samples }),
    onSuccess(state) {
      client.setQueryData(key, state)
      samplePageLinksShownStore.set(state.settings.show_samples)
      showToast(t.settingsSaved)
    },
    onError(error) {
      setChecked(settings.show_samples)
      showToast(explain(error), { kind: 'error' })
    },
  })
  const change = (next: boolean) => {
    setChecked(next)
    mutate(next)
  }
  const isFixed = fixed.includes('show_samples')
  return (
    <div className="card alone setting">
      <label className="check">
        <input
          type="checkbox"
          checked={isChecked}
          disabled={isFixed}
          aria-describedby="about-samples"
          onChange={(event) => change(event.target.checked)}
        />
        {t.showSamples}
      </label>
      <p className="hint" id="about-samples">
        {t.aboutSamples} {isFixed && <FixedBy words={t.samplesFixed} />}
      </p>
    </div>
  )
}

const FixedBy = ({ words: [before, after] }: { words: readonly [string, string] }) => (
  <>
    {before}
    <code>DEMO=off</code>
    {after}
  </>
)

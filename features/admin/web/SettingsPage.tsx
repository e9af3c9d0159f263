import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
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
  if (data) return <SettingList {...data} />
  if (!error) return <Loading />
  return <AdminLoadError error={error} pending={isFetching} onRetry={() => refetch()} />
}

function SettingList({ settings, fixed }: SettingsState) {
  const t = useText(adminText)
  const isSamplesFixed = fixed.includes('show_samples')
  return (
    <div className="cards">
      <SettingSwitch
        name="show_samples"
        saved={settings.show_samples}
        isFixed={isSamplesFixed}
        label={t.showSamples}
        help={
          <>
            {t.aboutSamples} {isSamplesFixed && <FixedBy words={t.samplesFixed} />}
          </>
        }
      />
      <SettingSwitch
        name="admins_need_second_step"
        saved={settings.admins_need_second_step}
        isFixed={fixed.includes('admins_need_second_step')}
        label={t.adminsNeedSecondStep}
        help={
          <>
            {t.aboutAdminsSecondStep}{' '}
            <Link className="link" href="/account">
              {t.toAccount}
            </Link>
          </>
        }
      />
    </div>
  )
}

interface SwitchProps {
  name: keyof SettingsState['settings']
  /** The stored value. */
  saved: boolean
  /** Whether an environment variable decides it. */
  isFixed: boolean
  label: string
  help: ReactNode
}

/** A setting that is on or off. A change is saved at once, and taken back if that fails. */
function SettingSwitch({ name, saved, isFixed, label, help }: SwitchProps) {
  const t = useText(adminText)
  const explain = useErrorFormatter()
  const client = useQueryClient()
  const [isChecked, setChecked] = useState(saved)
  const { mutate } = useMutation({
    mutationFn: (value: boolean) => callEndpoint(adminEndpoints.saveSettings, { [name]: value }),
    onSuccess(state) {
      client.setQueryData(key, state)
      samplePageLinksShownStore.set(state.settings.show_samples)
      showToast(t.settingsSaved)
    },
    onError(error) {
      setChecked(saved)
      showToast(explain(error), { kind: 'error' })
    },
  })
  const change = (next: boolean) => {
    setChecked(next)
    mutate(next)
  }
  return (
    <div className="card setting">
      <label className="check">
        <input
          type="checkbox"
          checked={isChecked}
          disabled={isFixed}
          aria-describedby={`about-${name}`}
          onChange={(event) => change(event.target.checked)}
        />
        {label}
      </label>
      <p className="hint" id={`about-${name}`}>
        {help}
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

import { useId, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { useAudienceGroups } from '#features/posts/web/audience-groups.ts'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { albumEndpoints } from '../contract.ts'
import { AlbumForm } from './AlbumForm.tsx'
import { albumsText } from './text.ts'

interface Props {
  /** Chosen at first; null: all members. */
  group: number | null
  onClose: () => void
}

export function CreateDialog({ group: first, onClose }: Props) {
  const t = useText(albumsText)
  const id = useId()
  const [group, setGroup] = useState(first)
  const { data: groups = [] } = useAudienceGroups(true)
  return (
    <AlbumForm
      heading={t.create}
      first={{ title: '', text: '' }}
      submitLabel={t.create}
      onSave={(words) => callEndpoint(albumEndpoints.create, { ...words, group_id: group })}
      onSaved={(album) => navigate(`/albums/${album.id}`)}
      onClose={onClose}
    >
      {groups.length > 0 && (
        <div className="field">
          <label htmlFor={id}>{t.who}</label>
          <select
            className="input"
            id={id}
            value={group ?? ''}
            onChange={({ target }) => setGroup(target.value ? Number(target.value) : null)}
          >
            <option value="">{t.everybody}</option>
            {groups.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        </div>
      )}
    </AlbumForm>
  )
}

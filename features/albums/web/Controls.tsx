import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { SegmentedControl } from '#web/ui/SegmentedControl.tsx'
import { type Album, albumPictureEndpoints } from '../contract.ts'
import type { Sort } from './pictures.ts'
import { albumText } from './text.ts'

/** In the address, so that going back restores it. */
export function useView() {
  const params = new URLSearchParams(useSearch())
  const chosen = {
    sort: (params.get('sort') === 'taken' ? 'taken' : 'added') as Sort,
    by: Number(params.get('by')) || null,
  }
  const choose = (change: Partial<typeof chosen>) => {
    const { sort, by } = { ...chosen, ...change }
    const query = new URLSearchParams({ ...(sort === 'taken' && { sort }), ...(by && { by: String(by) }) })
    navigate(`${location.pathname}${query.size ? `?${query}` : ''}`, { replace: true })
  }
  return { chosen, choose }
}
export type View = ReturnType<typeof useView>

export function Controls({ album, view: { chosen, choose } }: { album: Album; view: View }) {
  const t = useText(albumText)
  const id = useId()
  const { data: people = [] } = useQuery({
    queryKey: [albumPictureEndpoints.authors.path, album.id, album.pictures_count],
    queryFn: () => callEndpoint(albumPictureEndpoints.authors, { id: album.id, limit: 200 }),
    placeholderData: (before) => before,
  })
  return (
    <div className="album-controls">
      <SegmentedControl
        label={t.order}
        options={[
          { value: 'added' as Sort, label: t.added },
          { value: 'taken' as Sort, label: t.taken },
        ]}
        value={chosen.sort}
        onChange={(sort) => choose({ sort })}
      />
      {(people.length > 1 || chosen.by !== null) && (
        <label htmlFor={id} className="album-by">
          <span>{t.by}</span>
          <select
            id={id}
            className="input"
            value={chosen.by ?? ''}
            onChange={({ target }) => choose({ by: Number(target.value) || null })}
          >
            <option value="">{t.byAll}</option>
            {people.map(({ user, pictures_count }) => (
              <option key={user.id} value={user.id}>
                {user.name} ({pictures_count})
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  )
}

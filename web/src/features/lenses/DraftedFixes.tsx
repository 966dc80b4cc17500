import { useQuery } from '@tanstack/react-query';
import { apiClient, unwrapData } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { Section } from '../../ui/Page.tsx';
import { ErrorState } from '../../ui/States.tsx';
import { PatchCard } from '../gaps/PatchCard.tsx';

export function DraftedFixes({ name }: { name: string }) {
  const { data, error } = useQuery({
    queryKey: ['drafted fixes', name],
    queryFn: ({ signal }) =>
      unwrapData(
        apiClient.GET('/mgmt/lenses/{name}/patches', {
          signal,
          params: { path: { name }, query: { status: 'draft', limit: 50 } },
        }),
      ),
  });
  if (error) return <ErrorState fault={error} />;
  if (!data || data.items.length === 0) return null;
  return (
    <Section title="Drafted fixes" description="Approve a fix to change the lens, or reject it.">
      {data.items.map((patch) => (
        <div key={patch.id}>
          {patch.reason && <p>{patch.reason}</p>}
          <PatchCard
            patch={patch}
            onDecided={() => void queryClient.invalidateQueries({ queryKey: ['lenses', name] })}
          />
        </div>
      ))}
    </Section>
  );
}

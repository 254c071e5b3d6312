#!/bin/sh
# Redmine as Debian packages it, on SQLite, with Puma and two workers, filled with issues; for `npm run bench -- peers`.
# It installs packages, so it needs root and a machine that may have them. It serves until it is stopped, and prints the key of its API.
#
#   sh bench/peers/redmine.sh FOLDER [PORT] [ISSUES]
set -eu

folder=${1:?a folder for what it needs}
port=${2:-3999}
issues=${3:-20000}

DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends redmine redmine-sqlite ruby-sqlite3 puma >/dev/null

mkdir -p "$folder"
cat > "$folder/fill.rb" <<'RUBY'
Setting.rest_api_enabled = '1'
unless Tracker.any?
  Redmine::DefaultData::Loader.load('en')
end
admin = User.find_by_login('admin')
admin.update_columns(must_change_passwd: false)
project = Project.find_by_identifier('bench')
if project.nil?
  project = Project.create!(name: 'Bench', identifier: 'bench', is_public: true, trackers: Tracker.all)
  member = Member.new(user: admin, project: project)
  member.roles = [Role.givable.first]
  member.save!
end
wanted = ENV.fetch('ISSUES').to_i
have = Issue.count
statuses = IssueStatus.order(:id).limit(5).pluck(:id)
priorities = IssuePriority.order(:id).pluck(:id)
trackers = Tracker.order(:id).pluck(:id)
text = 'The lamp of the lighthouse goes out when the wind comes from the north and the keeper is asleep. ' * 6
(have...wanted).each_slice(1000) do |numbers|
  Issue.transaction do
    rows = numbers.map do |number|
      at = Time.utc(2022) + number * 60
      { project_id: project.id, tracker_id: trackers[number % trackers.size], status_id: statuses[number % statuses.size],
        priority_id: priorities[number % priorities.size], author_id: admin.id, subject: "The lamp goes out, case #{number}",
        description: text, done_ratio: 0, lock_version: 0, is_private: false, start_date: at.to_date, lft: 1, rgt: 2,
        created_on: at, updated_on: at }
    end
    Issue.insert_all!(rows)
  end
end
Issue.where(root_id: nil).update_all('root_id = id')
File.write(ENV.fetch('KEY_FILE'), admin.api_key)
RUBY
cat > "$folder/puma.rb" <<RUBY
directory '/usr/share/redmine'
environment 'production'
workers 2
threads 1, 5
bind 'tcp://127.0.0.1:$port'
preload_app!
RUBY

# The package has made an instance of its own, with a database on SQLite. Without patience, writers who meet are answered with 500.
settings=/etc/redmine/default/database.yml
grep -q '^  timeout:' "$settings" || echo '  timeout: 20000' >> "$settings"
export RAILS_ENV=production REDMINE_LANG=en ISSUES="$issues" KEY_FILE="$folder/key"
cd /usr/share/redmine
bundle exec rails runner "$folder/fill.rb"
echo "Redmine listens on port $port; the key of its API is $(cat "$folder/key")"
exec puma --config "$folder/puma.rb"
